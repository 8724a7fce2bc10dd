const attribute = 'data-mantine-color-scheme'

/** Makes prints of the page light and as wide as paper, whatever it is shown in; returns the end of that. */
export function keepPrintsLight() {
  const root = document.documentElement
  let shown: string | null | undefined
  const before = () => {
    if (shown === undefined) shown = root.getAttribute(attribute)
    root.setAttribute(attribute, 'light')
    root.toggleAttribute('data-printing', true)
  }
  const after = () => {
    if (typeof shown === 'string') root.setAttribute(attribute, shown)
    root.removeAttribute('data-printing')
    shown = undefined
  }
  globalThis.addEventListener('beforeprint', before)
  globalThis.addEventListener('afterprint', after)
  return () => {
    after()
    globalThis.removeEventListener('beforeprint', before)
    globalThis.removeEventListener('afterprint', after)
  }
}

const nextFrame = () => new Promise((drawn) => requestAnimationFrame(drawn))

/** Prints the page once its charts have drawn themselves in the colours of paper. */
export async function printPage() {
  globalThis.dispatchEvent(new Event('beforeprint'))
  await nextFrame()
  await nextFrame()
  globalThis.print()
}
