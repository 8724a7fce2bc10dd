import { randomBytes, randomInt } from 'node:crypto'
import { coreContract } from '@longreach/core/contract'
import { type Client, client } from '@longreach/kit/client'
import type { Composed } from './compose.ts'
import { demoOrganizations, type DemoPerson, demoPeople } from './demo-people.ts'

export type SeededPerson = DemoPerson & { password: string; sub: string; realm: string }
type Core = Client<typeof coreContract>

/** Makes the demo's organizations and people through the API, with random passwords. */
export async function seedPeople(server: Composed): Promise<SeededPerson[]> {
  const house = client(coreContract, await server.fetchAsService())
  const { token } = await house.setupToken({ body: {} })
  if (token === undefined) throw new Error('The data folder holds organizations already')
  const [first, ...others] = demoOwners()
  if (!first) throw new Error('The demo has no organization')
  await house.setup({ body: { token, organization: first.organization, user: first.user } })
  const create = ({ organization, user }: DemoOwner) =>
    house.createRoot({ body: { ...organization, owner: user } })
  await Promise.all(others.map(create))
  const { owners: known } = await house.roots({})
  const owners = [first, ...others].map(({ person, user }) => {
    const realm = person.organization
    const { sub = '' } = known.find((one) => one.realm === realm) ?? {}
    return { ...person, password: user.password, sub, realm }
  })
  await Promise.all(
    demoOrganizations.map(async ({ name, label, below, dealer }) => {
      if (below === undefined) return
      const above = await actAs(server, ownerOf(owners, below))
      const body = { name, label, dealer }
      await above.createOrganization({ params: { org: below }, query: {}, body })
    }),
  )
  const members = demoPeople.filter(({ roles }) => roles !== 'owner')
  return [...owners, ...(await Promise.all(members.map((one) => join(server, owners, one))))]
}

type DemoOwner = ReturnType<typeof demoOwners>[number]

/** Owners of the root organizations, with the data of these. */
function demoOwners() {
  return demoPeople
    .filter(({ roles }) => roles === 'owner')
    .map((person) => {
      const name = person.organization
      const label = demoOrganizations.find((one) => one.name === name)?.label ?? name
      return { person, organization: { name, label }, user: personal(person) }
    })
}

/** Client of core with the rights of a person of the demo. */
export const actAs = async (server: Composed, person: SeededPerson) =>
  client(coreContract, await server.fetchAsPerson(person))

/** Fields needed to find an organization's owner and to act as that person. */
export type Owner = Pick<SeededPerson, 'username' | 'roles' | 'sub' | 'realm'>

export function ownerOf<Person extends Owner>(people: readonly Person[], organization: string) {
  const [root] = organization.split('.')
  const owner = people.find((one) => one.realm === root && one.roles === 'owner')
  if (!owner) throw new Error(`Nobody owns ${organization}`)
  return owner
}

async function join(
  server: Composed,
  owners: readonly SeededPerson[],
  person: DemoPerson,
): Promise<SeededPerson> {
  const owner = ownerOf(owners, person.organization)
  const core = await actAs(server, owner)
  const body = personal(person)
  const user = await core.createUser({ params: { org: person.organization }, body })
  await giveRoles(core, person, user.id)
  return { ...person, password: body.password, sub: user.sub, realm: owner.realm }
}

/** Assigns roles through a group for each person. */
async function giveRoles(core: Core, { organization: org, roles }: DemoPerson, user: number) {
  const all = await core.roles({ params: { org }, query: { pageSize: 500 } })
  const chosen = all.content.filter(({ label }) => roles.includes(label)).map(({ id }) => id)
  const own = { userId: user, type: 'SELF_USER_ANY' as const }
  const { content } = await core.userGroups({ params: { org }, query: own })
  const group = content[0]
  if (!group || chosen.length === 0) throw new Error(`No role ${String(roles)} in ${org}`)
  const params = { org, group: String(group.id), roles: chosen.join(',') }
  await core.addGroupRoles({ params })
}

const personal = ({ username, firstName, lastName, organization }: DemoPerson) => ({
  username,
  firstName,
  lastName,
  email: `${username}@${organization.split('.')[0] ?? ''}.example`,
  password: memorable(),
})

const syllables =
  'ba be bi bo da de di do fa fe ga go ka ke ki ko la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa we za zo'.split(
    ' ',
  )

/**
 * Password of four words with three syllables and a number: easy to type from a console, about 75
 * bits.
 */
function memorable() {
  const word = () =>
    Array.from({ length: 3 }, () => syllables[randomInt(syllables.length)]).join('')
  return [word(), word(), word(), word(), String(randomBytes(1)[0] ?? 0)].join('-')
}
