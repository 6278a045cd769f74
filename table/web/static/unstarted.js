// No module, and the oldest JavaScript: a browser that reads no other, or that lost the table on the way, says so here.
// Where all modules could be read and run, words.js has said so when everything is loaded.
window.onload = function () {
  var line = document.getElementById("unstarted");
  if (!document.documentElement.hasAttribute("data-runs")) line.removeAttribute("hidden");
};
