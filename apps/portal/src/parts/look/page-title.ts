/** Parts of the title of the browser's tab. */
const shown = { heading: 'Longreach', count: 0 }

const drawTitle = () => {
  const { heading, count } = shown
  document.title = count > 0 ? `(${count}) ${heading}` : heading
}

/** Names the tab after a page. */
export function setPageHeading(heading: string) {
  shown.heading = `${heading} · Longreach`
  drawTitle()
}

/** Puts a number before the name of the tab; 0 for none. */
export function setTitleCount(count: number) {
  if (count === shown.count) return
  // A page that is drawn before the first heading keeps the title that it has.
  if (shown.count === 0) shown.heading = document.title
  shown.count = count
  drawTitle()
}
