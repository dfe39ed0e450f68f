// Files of one worker share the document and its storage, so each starts by clearing both.
document.head.replaceChildren();
document.body.replaceChildren();
localStorage.clear();
sessionStorage.clear();
