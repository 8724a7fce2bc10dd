import type { Contract } from '@longreach/kit/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { chosenServices } from './services.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  items?: Schema
}

/** Request fields in which a text names a person. */
function namesIn({ properties = {}, anyOf = [], items }: Schema, path: string): string[] {
  const own = Object.entries(properties).flatMap(([name, field]) => [
    ...(/^(user|username|actor)$/.test(name) && isText(field) ? [`${path}.${name}`] : []),
    ...namesIn(field, `${path}.${name}`),
  ])
  return [...own, ...[...anyOf, ...(items ? [items] : [])].flatMap((one) => namesIn(one, path))]
}
const isText = ({ type, anyOf = [] }: Schema): boolean => type === 'string' || anyOf.some(isText)

/** Requests in which each is tried as `name` and as `name@realm`. */
const tried: Record<string, string> = {
  'core.deepUsers query.username': 'person-names.test.ts',
  'core.users query.username': 'person-names.test.ts',
  'core.userByName params.username': 'person-names.test.ts',
  'core.userGroups query.username': 'person-names.test.ts',
  'core.apiKeys query.username': 'person-names.test.ts',
  'core.createApiKey body.username': 'person-names.test.ts',
  'core.apiKeyPermissions query.username': 'person-names.test.ts',
  'core.property params.user': 'person-names.test.ts',
  'core.setProperty params.user': 'person-names.test.ts',
  'core.setUserPreference body.username': 'person-names.test.ts',
  'core.createUser body.username': 'person-names.test.ts',
  'core.inviteUser body.username': 'person-names.test.ts',
  'notifications.why query.user': 'why.test.ts',
  'dashboards.addEditor params.user': 'dashboards.test.ts',
  'dashboards.addReader params.user': 'dashboards.test.ts',
  'dashboards.dashboardTrash query.username': 'dashboards.test.ts',
  'dashboards.dashboards query.username': 'dashboards.test.ts',
  'dashboards.myDashboards query.username': 'dashboards.test.ts',
  'dashboards.removeEditor params.user': 'dashboards.test.ts',
  'dashboards.removeReader params.user': 'dashboards.test.ts',
  'dashboards.sharedDashboards query.username': 'dashboards.test.ts',
  'audit.search query.actor': 'audit.test.ts',
  'audit.export query.actor': 'audit.test.ts',
  // The first person of a new realm.
  'core.setup body.user.username': 'a new realm',
  'core.selfOnBoarding body.user.username': 'a new realm',
  'core.createRoot body.owner.username': 'a new realm',
  // The word `me`; all others are numbers.
  'core.userAccess params.user': 'no name',
}

test('every call that takes the name of a person takes it with the realm too', async () => {
  const found = (await chosenServices(undefined)).flatMap((service) => {
    const contract: Contract = service.contract
    return Object.entries(contract.endpoints)
      .filter(([, { access }]) => access !== 'service')
      .flatMap(([name, endpoint]) =>
        (['params', 'query', 'body'] as const).flatMap((part) => {
          const schema = endpoint[part]
          if (!schema) return []
          const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
          return namesIn(json, part).map((place) => `${contract.service}.${name} ${place}`)
        }),
      )
  })
  expect(found.toSorted()).toEqual(Object.keys(tried).toSorted())
})
