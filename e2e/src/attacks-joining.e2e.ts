import { afterAll, beforeAll, expect, test } from 'vitest'
import { enter, addSignedInPerson } from './asking.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { core, listed, make, ok, refused } from './tenant-world.ts'

// Nobody takes a person of another organization into their own, nor gets a say over them by it.
const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
const [home, beside] = ['main.home', 'main.beside']

let longreach: Longreach
let root: Somebody
let atHome: Somebody
let neighbour: Somebody
type Somebody = Awaited<ReturnType<typeof enter>>
beforeAll(async () => {
  longreach = await startLongreach({ env })
  root = await enter(longreach.url, owner)
  for (const name of ['home', 'beside']) await make(root.ask, core('main'), { name, label: name })
  atHome = await someone(home, 'hilda', 'app_administrator')
  neighbour = await someone(beside, 'nele', 'app_administrator')
})
afterAll(() => longreach?.stop())

const someone = (organization: string, username: string, ...roles: string[]) =>
  addSignedInPerson(longreach.url, owner, { organization, username, roles })
const idIn = async (organization: string, username: string) =>
  (await listed(root.ask, `${core(organization)}/users?username=${username}`))[0]?.id
const take = (who: Somebody, username: string) =>
  who.ask('POST', `${core(beside)}/users`, { username, existing: true })
const invitationsOf = async ({ ask }: Somebody) =>
  (await ok(ask('GET', 'core/api/v1/invitations'))).json<{ id: number }[]>()

test('attack 124: an administrator takes a person of a sibling into their own organization', async () => {
  const greta = await someone(home, 'greta', 'app_viewer')
  const id = await idIn(home, 'greta')
  const asked = await take(neighbour, 'greta')
  // The answer names only the requested change.
  expect({ status: asked.status, text: asked.text }).toEqual({
    status: 202,
    text: '{"invited":true}',
  })
  expect(await idIn(beside, 'greta')).toBeUndefined()
  await refused(neighbour.ask('GET', `${core(beside)}/users/${id}`), 404)
  await refused(neighbour.ask('PUT', `${core(home)}/users/${id}`, { enabled: false }), 404)
  // The first organization keeps its rights over the person.
  const change = { lastName: 'Berg' }
  await ok(atHome.ask('PUT', `${core(home)}/users/${id}`, change))
  const [invitation] = await invitationsOf(greta)
  const accept = `core/api/v1/invitations/${invitation?.id}/accept`
  for (const who of [neighbour, atHome]) {
    expect(await invitationsOf(who)).toEqual([])
    await refused(who.ask('POST', accept, {}), 404)
  }
  expect(await idIn(beside, 'greta')).toBeUndefined()
  await ok(greta.ask('POST', accept, {}))
  expect(await idIn(beside, 'greta')).toBe(id)
  await refused(greta.ask('POST', accept, {}), 404)
})

test('attack 125: a person who is let in elsewhere is out of the reach of home', async () => {
  const paul = await someone(home, 'paul', 'app_viewer')
  const id = await idIn(home, 'paul')
  await take(neighbour, 'paul')
  const [invitation] = await invitationsOf(paul)
  await ok(paul.ask('POST', `core/api/v1/invitations/${invitation?.id}/accept`, {}))
  // A membership without rights keeps out of nothing.
  await ok(atHome.ask('PUT', `${core(home)}/users/${id}`, { lastName: 'Neu' }))
  await ok(atHome.ask('DELETE', `${core(home)}/users/${id}`))
  expect(await idIn(home, 'paul')).toBeUndefined()
  // Who let them in takes them out again.
  await ok(neighbour.ask('DELETE', `${core(beside)}/users/${id}`))
  expect(await idIn(beside, 'paul')).toBeUndefined()
})

test('attack 126: equal rights in one organization are used against somebody who counts in another', async () => {
  const viewer = (await listed(root.ask, `${core(beside)}/roles?pageSize=500`)).find(
    ({ name }) => name === 'app_viewer',
  )
  const nora = await someone(home, 'nora', 'app_administrator')
  await someone(home, 'otto', 'app_viewer')
  for (const username of ['nora', 'otto']) {
    const body = { username, existing: true, rolesId: [viewer?.id] }
    await make(root.ask, `${core(beside)}/users`, body)
  }
  const id = await idIn(home, 'otto')
  const otto = `${core(home)}/users/${id}`
  const password = 'a quite new phrase 5'
  for (const body of [{ password }, { enabled: false }, { email: 'nora@evil.example' }])
    await refused(nora.ask('PUT', otto, body), 403)
  await refused(nora.ask('POST', `${otto}/impersonation`, {}), 403)
  // The same by a person with the right in both; outside of the first organization nora may still
  // add him.
  await ok(root.ask('PUT', otto, { password }))
  await enter(longreach.url, { username: 'otto', password, organization: home })
  await ok(nora.ask('DELETE', otto))
  expect(await idIn(home, 'otto')).toBeUndefined()
  expect(await idIn(beside, 'otto')).toBe(id)
})
