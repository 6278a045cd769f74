// No module, and the oldest JavaScript: shows a message in a browser that reads no other, or that lost a script.
// If all modules could be read and run, words.js has removed the message before everything is loaded.
window.onload = function () {
  var line = document.getElementById("unstarted");
  if (!line) return;
  line.removeAttribute("hidden");
  // Nobody stands before a screen on the wall to reload it.
  if (location.search.indexOf("kiosk") > -1) setTimeout(function () { if (document.getElementById("unstarted")) location.reload(); }, 15000);
};
