/**
 * The script of a page. It removes the token from the address, so that it stays in neither the address bar
 * nor the history. All status texts are in the page already, hidden.
 */
export const SCRIPT = `
(() => {
  const form = document.querySelector('form')
  const texts = [...document.querySelectorAll('[data-text]')]
  const token = new URLSearchParams(location.search).get('token')
  history.replaceState(null, '', location.pathname)

  const show = (name) => {
    for (const text of texts) text.hidden = text.dataset.text !== name
    if (name === 'done' || name === 'expired') form.hidden = true
  }
  const outcomeOf = (status) => {
    if (status < 300) return 'done'
    if (status === 400) return 'expired'
    if (status === 422) return 'refused'
    return status === 429 ? 'later' : 'failed'
  }
  const send = async (fields) => {
    try {
      const answer = await fetch(form.dataset.endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...fields, token }),
      })
      return outcomeOf(answer.status)
    } catch {
      return 'failed'
    }
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { again, ...fields } = Object.fromEntries(new FormData(form))
    if (again !== undefined && again !== fields[form.dataset.password]) return show('different')
    form.querySelector('button').disabled = true
    show('waiting')
    show(await send(fields))
    form.querySelector('button').disabled = false
  })
  if (!token) return show('expired')
  form.hidden = false
  form.querySelector('input').focus()
})()
`

export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #8a94a3; --ground: #f3f5f8; --card: #fff;
  --act: #0b5cad; --on-act: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf2; --soft: #a9b4c3; --line: #718096; --ground: #12161c; --card: #1b222c; \
--act: #7db8f5; --on-act: #10161e; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--card); border-radius: .75rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
.brand, .rule { color: var(--soft); font-size: .9rem; margin: 0 0 1rem; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input { width: 100%; margin-top: .25rem; padding: .6rem; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--line); border-radius: .4rem; }
.rule { margin: .25rem 0 0; }
button { margin-top: 1.5rem; width: 100%; padding: .7rem; font: inherit; font-weight: 600; color: var(--on-act);
  background: var(--act); border: 0; border-radius: .4rem; cursor: pointer; }
button:disabled { opacity: .6; }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
a { color: var(--act); }
[data-text] { margin: 1rem 0 0; }
[hidden] { display: none; }
`
