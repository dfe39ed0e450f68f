// Files of one worker share the document and its storage: each of them begins with empty ones.
document.head.replaceChildren();
document.body.replaceChildren();
localStorage.clear();
sessionStorage.clear();
