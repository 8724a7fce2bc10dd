import { client } from '@longreach/kit/client'
import { AppError } from '@longreach/kit/errors'
import type { Admission, Authorizer, Caller } from '@longreach/kit/service'
import type { TestServer } from '@longreach/kit/testing'
import { coreContract } from './contract.ts'
import { administratorRole } from './access/administering-rules.ts'

export { identityForTests } from './identity-for-tests.ts'

/** Ask core at every call, so that a test sees each change of rights at once. */
export const coreAuthorizer = (fetch: typeof globalThis.fetch): Authorizer => {
  const core = client(coreContract, fetch)
  return async ({ kind, sub, realm, apiKey }, organization) => {
    if (kind !== 'user') return undefined
    try {
      const query = {
        sub,
        realm,
        ...(organization !== undefined && { organization }),
        ...(apiKey && { apiKey: apiKey.id }),
      }
      return (await core.admission({ query })) as Admission
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return undefined
      throw error
    }
  }
}

type Place = { id: number; resourceId: string }
type Asked = Pick<TestServer, 'as' | 'asService'>
export const testPassword = 'a long pass phrase 7'

/**
 * Two root organizations with people, made through the API of core:
 * `nordwerk` (with `.service` and `.press` below it) and `acqua` (with `.pumps`).
 */
export async function seed(server: Asked) {
  const nordwerk = await root(server, 'nordwerk')
  const acqua = await root(server, 'acqua')
  const owner = await ownerOf(server, 'nordwerk')
  const acquaOwner = await ownerOf(server, 'acqua')
  const service = await below(server, owner, 'nordwerk', 'service')
  const press = await below(server, owner, 'nordwerk', 'press')
  const pumps = await below(server, acquaOwner, 'acqua', 'pumps')
  const join = (org: Place, username: string, ...roles: string[]) =>
    addPerson(server, owner, { org, username, roles })
  return {
    organizations: { nordwerk, service, press, acqua, pumps },
    people: {
      /** Administrator of nordwerk, with inherit: of everything below too. */
      owner,
      /** People of nordwerk.service. */
      operator: await join(service, 'oskar', 'app_operator'),
      viewer: await join(service, 'vera', 'app_viewer'),
      /** Belongs to nordwerk.service and may do nothing there. */
      member: await join(service, 'mia'),
      /** Administrator of nordwerk.service only. */
      administrator: await join(service, 'adam', administratorRole),
      /** Administrator of nordwerk.press, beside nordwerk.service. */
      neighbour: await join(press, 'nele', administratorRole),
      /** Service engineer of nordwerk: a role that reaches down. */
      parentInherit: await join(nordwerk, 'ines', 'app_service-engineer'),
      /** Operator of nordwerk: a role that does not reach down. */
      parentPlain: await join(nordwerk, 'paul', 'app_operator'),
      /** Administrator of the other root organization, acqua. */
      foreigner: acquaOwner,
    },
  }
}
export type Seeded = Awaited<ReturnType<typeof seed>>

/** A root organization with an owner named `owner`. */
export const root = (server: Asked, name: string): Promise<Place> =>
  server.asService(coreContract).createRoot({
    body: { name, label: name, owner: { username: 'owner', password: testPassword } },
  })

export async function ownerOf(server: Asked, realm: string) {
  const { owners } = await server.asService(coreContract).roots({})
  const sub = owners.find((one) => one.realm === realm)?.sub ?? ''
  return callerOf(sub, realm, 'owner')
}

const callerOf = (sub: string, realm: string, username: string): Caller => ({
  kind: 'user',
  sub,
  username,
  realm,
})

const below = (server: Asked, as: Caller, org: string, name: string): Promise<Place> =>
  server
    .as(as, coreContract)
    .createOrganization({ params: { org }, query: {}, body: { name, label: name } })

type Addition = { org: Place; username: string; roles: readonly string[] }
/** Make a person in an organization and give their own group the roles of these names. */
export async function addPerson(server: Asked, as: Caller, { org, username, roles }: Addition) {
  const core = server.as(as, coreContract)
  const params = { org: String(org.id) }
  const body = { username, password: testPassword }
  const { id, sub } = await core.createUser({ params, body })
  const own = await core.userGroups({ params, query: { userId: id, type: 'SELF_USER_ANY' } })
  const known = await core.roles({ params, query: { pageSize: 500 } })
  const ids = known.content.filter(({ name }) => roles.includes(name)).map((role) => role.id)
  const group = String(own.content[0]?.id)
  if (ids.length > 0) {
    await core.addGroupRoles({ params: { ...params, group, roles: ids.join(',') } })
  }
  return callerOf(sub, as.realm, username)
}
