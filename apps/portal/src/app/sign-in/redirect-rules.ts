/**
 * Target after an organization is chosen: a path of this portal, or the callback of the local
 * client on this computer (`http://localhost/…`). Anything else is undefined, so that a link cannot send a person elsewhere.
 */
export function safeRedirect(wish: string | undefined | null, origin: string) {
  if (!wish || hasControl(wish)) return undefined
  const url = URL.canParse(wish, origin) ? new URL(wish, origin) : undefined
  if (url === undefined) return undefined
  if (url.origin === origin && isPath(wish)) {
    return { kind: 'inside', path: url.pathname + url.search + url.hash } as const
  }
  return isLocalClient(url, wish) ? ({ kind: 'local-client', url } as const) : undefined
}

const isPath = (wish: string) => wish.startsWith('/') && !/^\/[/\\]/.test(wish)

const isLocalClient = ({ protocol, hostname, username, password }: URL, wish: string) =>
  protocol === 'http:' &&
  hostname === 'localhost' &&
  username === '' &&
  password === '' &&
  /^http:\/\/localhost[:/]/.test(wish)

/** The local client's callback with the chosen organization: it reads the number after the comma. */
export const localClientUrl = (callback: URL, organization: { name: string; id: number }) => {
  const url = new URL(callback)
  url.searchParams.set('org', `${organization.name.replaceAll(',', ' ')},${organization.id}`)
  return url.href
}

/** `/#/devices?x=1` of older links as `/devices?x=1`; undefined when the fragment is no path. */
export const fromHashLink = (hash: string, origin: string) => {
  if (!hash.startsWith('#/')) return undefined
  const inside = safeRedirect(hash.slice(1), origin)
  return inside?.kind === 'inside' ? inside.path : undefined
}

// Control characters are dropped by URL parsers, which would turn `/\t/evil` into `//evil`.
const hasControl = (text: string) => [...text].some((character) => character.charCodeAt(0) < 32)
