import { personOf, signInByHttp } from '../e2e/src/calls.ts'
import type { DemoFile } from '../e2e/src/longreach.ts'

const organization = 'nordwerk'

/** Somebody who may look at everything in the organization, and change nothing. */
export const viewer = { username: 'looker', password: 'a long pass phrase 7', organization }

type Row = { id: number | string; deviceId?: string }
type Page = { data?: Row[]; content?: Row[] }

type Values = Record<string, string | number>

/** Something of every kind, so that calls get as far as their work: values of parameters by their names. */
export async function makeWorld(demo: DemoFile): Promise<{ path: Values; query: Values }> {
  const call = await signInByHttp(demo.url, personOf(demo, 'anna'))
  const core = `core/api/v1/organizations/${organization}`
  const platform = `platform/api/v1/organizations/${organization}`
  const made = async (path: string, body: object) => (await call<Row>('POST', path, body)).id
  const first = async (path: string) => {
    const { data, content } = await call<Page>('GET', path)
    const [row] = data ?? content ?? []
    if (!row) throw new Error(`Nothing at ${path}`)
    return row.id
  }
  const device = await first(`mappings/api/v1/devices?organization=${organization}`)
  const rules = [{ resource: 'devices', actions: ['read'] }]
  const person = { username: 'spare', password: 'a long pass phrase 7', lastName: 'Spare' }
  const policy = await made(`${core}/securityPolicies`, { name: 'spare' })
  const role = await made(`${core}/roles`, { name: 'spare', label: 'Spare', rules })
  const all = await call<{ content: { id: number; name: string }[] }>(
    'GET',
    `${core}/roles?pageSize=500`,
  )
  const looking = all.content.filter(({ name }) => name === 'app_viewer').map(({ id }) => id)
  const { organization: _, ...looker } = viewer
  await made(`${core}/users`, { ...looker, rolesId: looking })
  const view = { name: 'spare', query: {}, shared: true }
  return {
    path: {
      org: organization,
      device,
      deviceId: device,
      devices: device,
      policy,
      policies: String(policy),
      role,
      roles: String(role),
      group: await made(`${core}/userGroups`, { name: 'spare' }),
      user: await made(`${core}/users`, person),
      apiKey: await made(`${core}/apiKeys`, { label: 'spare' }),
      view: await made(`${platform}/views`, view),
    },
    query: { organization },
  }
}
