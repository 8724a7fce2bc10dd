/**
 * Turns CSS colours with variables into what a canvas understands, as they are inside `element`.
 * Answers are kept until `forget` is called, as the colour scheme changes seldom.
 */
export function canvasColors(element: HTMLElement) {
  const known = new Map<string, string>()
  const probe = document.createElement('span')
  probe.style.display = 'none'
  element.append(probe)
  return {
    colorOf(css: string) {
      const seen = known.get(css)
      if (seen !== undefined) return seen
      probe.style.color = css
      const color = getComputedStyle(probe).color
      known.set(css, color)
      return color
    },
    forget: () => known.clear(),
  }
}

/** Calls `changed` when the colour scheme or the theme of the page changes. Returns the end of watching. */
export function watchScheme(changed: () => void) {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-mantine-color-scheme', 'style', 'class'],
  })
  return () => observer.disconnect()
}
