/**
 * Sets the chosen theme before the first paint, and which places for ads this visitor has closed, so
 * that no room is kept for them; the page itself is the same for everybody. Its hash stands in the Content Security Policy.
 */
export const themeBootScript =
  'try{var d=document.documentElement.dataset,t=localStorage.getItem("theme");if(t==="dark"||t==="light")d.theme=t;' +
  'd.closed=sessionStorage.getItem("spots-closed")||""}catch(e){}';
