// No module, and the oldest JavaScript: a browser that reads no other, or that lost a script on the way, says so here.
// Where all modules could be read and run, words.js has taken the line away before everything is loaded.
window.onload = function () {
  var line = document.getElementById("unstarted");
  if (line) line.removeAttribute("hidden");
};
