import { makeDevice, signInByHttp } from '../../e2e/src/calls.ts'
import { startLongreach } from '../../e2e/src/longreach.ts'

const owner = { username: 'eva', password: 'a-long-enough-word', organization: 'plant' }
const atOnce = 100_000

type Values = { count: number; from: number; valueOf: (n: number) => number }

/**
 * Trial of a rule by its call at a whole server that has the values of one path, a second each; `trial` answers
 * seconds and alarms.
 */
export async function openTrialServer({ count, from, valueOf }: Values) {
  const { username: SETUP_USER, password: SETUP_PASSWORD, organization } = owner
  const env = { SETUP_USER, SETUP_PASSWORD, SETUP_ORGANIZATION: organization }
  const longreach = await startLongreach({ env })
  const call = await signInByHttp(longreach.url, owner)
  const { deviceId, path } = await makeDevice(call, organization, 'Probe')
  const modelPath = path('double')
  for (let at = 0; at < count; at += atOnce) {
    const data = Array.from({ length: Math.min(atOnce, count - at) }, (_, n): [number, number] => [
      from + (at + n) * 1_000,
      valueOf(at + n),
    ])
    const place = `platform/api/v1/organizations/${organization}/devices/bulkInsertTags`
    await call('POST', place, [{ deviceId, modelPath, data }])
  }
  const rule = {
    name: 'limit',
    scope: { deviceId },
    kind: 'condition',
    when: { path: modelPath, op: '>', value: 90, clear: 85 },
    levels: [{ severity: 3 }],
    onDelayMs: 10_000,
  }
  const body = { rule, devices: [deviceId], from, to: from + count * 1_000 }
  return {
    async trial() {
      const begun = performance.now()
      const answer = await call<Answer>(
        'POST',
        `platform/api/v1/alarms/rules/try?organization=${organization}`,
        body,
      )
      const seconds = (performance.now() - begun) / 1_000
      if (!answer.complete || answer.values < count)
        throw new Error(`${answer.values} of ${count} values were judged`)
      return seconds
    },
    stop: () => longreach.stop(),
  }
}
type Answer = { complete: boolean; values: number }
