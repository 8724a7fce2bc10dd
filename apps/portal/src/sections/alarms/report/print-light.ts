const attribute = 'data-mantine-color-scheme'

/** Prints the page in light colours, whatever scheme it is shown in. */
export function printLight() {
  const root = document.documentElement
  const scheme = root.getAttribute(attribute)
  root.setAttribute(attribute, 'light')
  globalThis.addEventListener(
    'afterprint',
    () => {
      if (scheme !== null) root.setAttribute(attribute, scheme)
    },
    { once: true },
  )
  globalThis.print()
}
