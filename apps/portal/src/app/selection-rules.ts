import { safeRedirect } from '../lib/redirect-rules.ts'

type Named = { id: number; resourceId: string; name: string }

export type Selection =
  /** The token is for this organization. */
  | { kind: 'open'; resourceId: string; path: string }
  /** Another organization is wanted, by resourceId, name or number. */
  | { kind: 'enter'; asked: string; path: string }
  /** The person chooses; `redirectTo` is where to go then, in full for the local client. */
  | { kind: 'choose'; redirectTo: string }

type Question = {
  /** Path and query that the person wants. */
  path: string
  origin: string
  /** resourceId of the scope that the token was asked with. */
  scope: string | undefined
  own: readonly Named[]
}

/** Which organization a navigation goes to (T-01, T-05). */
export function selectionOf({ path, origin, scope, own }: Question): Selection {
  const { pathname, searchParams } = new URL(path, origin)
  const redirect = safeRedirect(searchParams.get('redirectTo'), origin)
  const onSelector = pathname === '/organization'
  const inside = redirect?.kind === 'inside' ? redirect.path : '/home'
  const target = onSelector ? inside : path
  const asked = searchParams.get('org')
  if (!onSelector && asked !== null && asked !== '') {
    const known = findOwn(own, asked)
    if (scope === undefined || (known?.resourceId ?? asked) !== scope) {
      return { kind: 'enter', asked, path }
    }
  }
  if (onSelector && redirect?.kind === 'local-client') {
    return { kind: 'choose', redirectTo: redirect.url.href }
  }
  if (scope !== undefined) return { kind: 'open', resourceId: scope, path: target }
  const [only] = own
  return only !== undefined && own.length === 1
    ? { kind: 'enter', asked: only.resourceId, path: target }
    : { kind: 'choose', redirectTo: target }
}

/** Among the person's own organizations, by resourceId, name or number. */
export const findOwn = <O extends Named>(own: readonly O[], asked: string) =>
  own.find(
    ({ id, resourceId, name }) => resourceId === asked || name === asked || String(id) === asked,
  )
