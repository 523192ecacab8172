// Sets the remembered colour scheme before the first paint. A classic script in the head, because a module would run
// after it. Without a remembered choice, the page follows the system.
{
  let chosen = null
  try {
    chosen = localStorage.getItem('tool-agent-site-theme')
  } catch {
    // Storage is blocked: the choice is not remembered.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}
