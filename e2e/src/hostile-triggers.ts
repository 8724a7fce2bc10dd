import { addressRow, deep, type HostileRow, type Kind, many, row } from './hostile-row.ts'

const service = 'trigger/api/v1'
const org = 'organization=main'
const policy = { type: 'PASSTHROUGH', modelPathMatcher: 'Hostile:1/a' }
const good = { name: 'Hostile', disabled: true, triggerData: { policy } }
const create: Kind = {
  method: 'POST',
  path: `${service}/triggers?${org}`,
  good,
  answered: 201,
}
const trigger = (name: string, triggerData: object) =>
  row(create, `triggers: ${name}`, () => ({ ...good, triggerData }), [400, 413, 422])
const asked = (path: string): Kind => ({
  method: 'GET',
  path: `${service}/${path}?${org}`,
  good: undefined,
  answered: 200,
})
const hook = { url: 'https://example.org/hook' }

/** A policy of so many groups in each other. */
function nested(depth: number): object {
  let inner: object = policy
  for (let level = 0; level < depth; level += 1) {
    inner = { type: 'AND_OPERATOR', innerPolicies: [inner] }
  }
  return inner
}

/** Requests to the trigger service. */
export const rows: readonly HostileRow[] = [
  trigger('a policy of 200 groups in each other', { policy: nested(200) }),
  trigger('a policy of 100,000 parts', {
    policy: { type: 'OR_OPERATOR', innerPolicies: many(100_000, () => policy) },
  }),
  trigger('a policy that is nested 20,000 deep', { policy: deep(20_000) }),
  trigger('a pattern of 10,000 stars', {
    policy: { ...policy, modelPathMatcher: '**/'.repeat(5_000) },
  }),
  trigger('10,000 actions', {
    policy,
    actions: many(10_000, () => ({ type: 'WEBHOOK_ACTION', webhookConfig: hook })),
  }),
  trigger('a template of nested loops', {
    policy,
    actions: [
      {
        type: 'WEBHOOK_ACTION',
        webhookConfig: {
          ...hook,
          template: `${'{{#inputs}}'.repeat(800)}${'{{/inputs}}'.repeat(800)}`,
        },
      },
    ],
  }),
  trigger('a mail to 100,000 people', {
    policy,
    actions: [
      {
        type: 'EMAIL_ACTION',
        emailConfig: { emailTo: many(100_000, (n) => `p${n}@example.org`) },
      },
    ],
  }),
  addressRow(
    asked('runs'),
    'triggers: a page of runs that is not one',
    () => `${service}/runs?${org}&next=${'A'.repeat(50_000)}`,
  ),
]
