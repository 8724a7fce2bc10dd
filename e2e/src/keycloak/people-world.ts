import {
  administer,
  type KeycloakWorld,
  keycloakWorld,
  letKeycloakMail,
  password,
  signInThere,
} from './keycloak-world.ts'

type UserThere = {
  id: string
  username: string
  enabled: boolean
  firstName?: string
  requiredActions: string[]
}
type Made = { id: number; sub: string; username: string }
type Security = {
  lockedUntil: string | null
  sessions: { id: string; ipAddress: string }[]
  credentials: { id: string; type: string }[]
}
type MadeNow = Made & { serviceAccountSecret?: string; invitation?: { mailed: boolean } }

/** Path of an organization's calls. */
export const pathOf = (org: string) => `core/api/v1/organizations/${org}`

/** Realm in Keycloak with a mail server, and actions of its owner on people here and there. */
export async function peopleWorld(name: string) {
  const world = await keycloakWorld({ name })
  await letKeycloakMail(world.realm, world.mail.url)
  const done = ownerOf(world, await world.as('owner'))
  const org = pathOf(world.realm)
  return {
    ...world,
    org,
    done,
    /** Person in Keycloak. */
    there: async (username: string) => {
      const path = `/${world.realm}/users?username=${username}&exact=true`
      return (await administer<UserThere[]>('GET', path))[0]
    },
    roles: async (of: string, ...names: string[]) => {
      const path = `${pathOf(of)}/roles?pageSize=500`
      const { content } = await done<{ content: { id: number; name: string }[] }>('GET', path)
      return content.filter((role) => names.includes(role.name)).map(({ id }) => id)
    },
    make: async (username: string, more: object = {}, of = world.realm) =>
      done<MadeNow>('POST', `${pathOf(of)}/users`, {
        username,
        email: `${username}@example.org`,
        password,
        ...more,
      }),
    security: ({ id }: Made) => done<Security>('GET', `${org}/users/${id}/security`),
    signIn: (username: string, more: { password?: string } = {}) =>
      signInThere({ realm: world.realm, url: world.url, username, ...more }),
  }
}
export type PeopleWorld = Awaited<ReturnType<typeof peopleWorld>>

/** A call of the owner that has to succeed; their token is made anew, since one lives five minutes. */
function ownerOf(world: KeycloakWorld, first: Awaited<ReturnType<KeycloakWorld['as']>>) {
  let owner = first
  return async <T>(method: string, path: string, sent?: unknown): Promise<T> => {
    let answer = await owner(method, path, sent)
    if (answer.status === 401) {
      owner = await world.as('owner')
      answer = await owner(method, path, sent)
    }
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.text === '' ? (undefined as T) : answer.json<T>()
  }
}
