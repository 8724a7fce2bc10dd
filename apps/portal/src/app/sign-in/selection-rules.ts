import { safeRedirect } from './redirect-rules.ts'

type Named = { id: number; resourceId: string; name: string }

export type Selection =
  /** The token is for this organization. */
  | { kind: 'open'; resourceId: string; path: string }
  /** Another organization is wanted, by resourceId, name or number. */
  | { kind: 'enter'; asked: string; path: string }
  /** The person chooses; `redirectTo` is where to go then, in full for the local client. */
  | { kind: 'choose'; redirectTo: string }

export type Question = {
  /** Path and query that the person wants. */
  path: string
  origin: string
  /** resourceId of the scope that the token was asked with. */
  scope: string | undefined
  own: readonly Named[]
}

/** Address of the organization selector, with where to go then. */
export const selectorAddress = (redirectTo: string) =>
  `/organization?redirectTo=${encodeURIComponent(redirectTo)}`

/** Organization that a navigation goes to (T-01, T-05). */
export function selectionOf({ path, origin, scope, own }: Question): Selection {
  const { searchParams } = new URL(path, origin)
  if (isSelector({ path, origin })) {
    const redirect = safeRedirect(searchParams.get('redirectTo'), origin)
    return redirect?.kind === 'local-client'
      ? { kind: 'choose', redirectTo: redirect.url.href }
      : goingTo(redirect?.path ?? '/home', scope, own)
  }
  const asked = searchParams.get('org')
  return asked && (findOwn(own, asked)?.resourceId ?? asked) !== scope
    ? { kind: 'enter', asked, path }
    : goingTo(path, scope, own)
}

/** Is it the selector's own address? It asks whatever the person keeps. */
export const isSelector = ({ path, origin }: Pick<Question, 'path' | 'origin'>) =>
  new URL(path, origin).pathname === '/organization'

/** The home organization of the person instead of the question for one, as long as it is theirs. */
export function enterHomeOrganization(
  choice: Extract<Selection, { kind: 'choose' }>,
  own: readonly Named[],
  home: string | undefined,
): Selection {
  const theirs = own.some(({ resourceId }) => resourceId === home)
  return home !== undefined && theirs
    ? { kind: 'enter', asked: home, path: choice.redirectTo }
    : choice
}

/** A path without the organization that it names. */
export function withoutOrganization(path: string, origin: string) {
  const url = new URL(path, origin)
  url.searchParams.delete('org')
  return url.pathname + url.search
}

function goingTo(path: string, scope: string | undefined, own: readonly Named[]): Selection {
  if (scope !== undefined) return { kind: 'open', resourceId: scope, path }
  return onlyOne(own, path) ?? { kind: 'choose', redirectTo: path }
}

/** Enters the only organization; undefined if there are several or none. */
const onlyOne = ([only, ...others]: readonly Named[], path: string): Selection | undefined =>
  only !== undefined && others.length === 0
    ? { kind: 'enter', asked: only.resourceId, path }
    : undefined

/** Among the person's own organizations, by resourceId, name or number. */
export const findOwn = <O extends Named>(own: readonly O[], asked: string) =>
  own.find(
    ({ id, resourceId, name }) => resourceId === asked || name === asked || String(id) === asked,
  )
