// No module, and the oldest JavaScript: a browser that reads no other, or that lost a script on the way, says so here.
// Where all modules could be read and run, words.js has taken the line away before everything is loaded.
window.onload = function () {
  var line = document.getElementById("unstarted");
  if (!line) return;
  line.removeAttribute("hidden");
  // Nobody stands before a screen on the wall to load it again.
  if (location.search.indexOf("kiosk") > -1) setTimeout(function () { if (document.getElementById("unstarted")) location.reload(); }, 15000);
};
