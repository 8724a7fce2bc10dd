import type { ViewRow } from './view-store.ts'

type Asked = { model: string; paths: readonly string[] }

/**
 * Which paths below a model's name the lines of a saved view show: those named, or something inside
 * of them; all where none are named.
 */
export function pathsShown({ query }: Pick<ViewRow, 'query'>, { model, paths }: Asked): string[] {
  const shown = Object.values(query)
    .flat()
    .flatMap((text) => pathIn(text, model) ?? [])
  const found = paths.length === 0 ? shown : paths.filter((path) => shown.some(isAtOrIn(path)))
  return [...new Set(found)]
}

/** A line stands in the address as `<device>/<Model:1/path>;options`. */
function pathIn(text: string, model: string): string | undefined {
  const [place = ''] = text.split(';')
  const [, name, major, path] = /^[^/;]+\/([^/;:]+):(\d+)\/(.+)$/.exec(place) ?? []
  if (name !== model || major === undefined) return undefined
  return path?.replaceAll(/\[\d+\]/g, '[*]')
}

const isAtOrIn = (path: string) => (one: string) =>
  path === '' || one === path || one.startsWith(`${path}/`) || one.startsWith(`${path}[*]`)
