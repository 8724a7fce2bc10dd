import { languageOf } from './language-rules.ts'
import type { RunRow, TriggerRow } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { outgoingOf } from '../saving/outgoing-rules.ts'
import { attributeOf } from '../saving/action-rules.ts'
import type { Work } from '../firings/action-work.ts'

type Performed =
  | { answer: string }
  | { handed: { deliveries: { id: string; isOver: boolean }[]; request: string } }

type Acting = { id: string; run: RunRow & Pick<TriggerRow, 'realm' | 'data'>; work: Work }

/** Carries out an action by the service that it belongs to; the same id twice does it once. */
export async function performAction(
  { clients }: TriggersDeps,
  { id, run, work }: Acting,
): Promise<Performed> {
  const { action, firing, cause, secrets } = work
  const outgoing = outgoingOf(action, secrets)
  if (outgoing) {
    const handed = await clients.notifications.sendOutgoing({
      body: {
        id,
        organization: run.org,
        realm: run.realm,
        deviceOrg: firing.orgResourceId,
        deviceGroups: firing.groups,
        language: languageOf(run.data.locale),
        zone: work.zone || 'UTC',
        facts: factsOf({ run, work }),
        outgoing,
      },
    })
    return { handed }
  }
  const deviceId = firing.deviceId
  if (action.type === 'ATTRIBUTE_ACTION') {
    const { name: key, value = cause?.value ?? null } = attributeOf(action.attribute)
    await clients.mappings.setTriggerAttribute({
      params: { deviceId },
      body: { organization: firing.orgResourceId, key, value },
    })
    return { answer: `${key} was set.` }
  }
  if (action.type === 'ALARM') {
    const { id: alarm } = await clients.alarms.raiseTriggerAlarm({
      params: { deviceId },
      body: {
        source: `${run.trigger_id}:${action.uuid ?? ''}`,
        organization: firing.orgResourceId,
        name: action.name,
        text: action.text,
        severity: action.severity,
        at: firing.t,
        paths: firing.inputs.map(({ path }) => path),
      },
    })
    return { answer: `Alarm ${alarm}` }
  }
  throw new Error(`an action ${action.type} has no service`)
}

const factsOf = ({ run, work }: Pick<Acting, 'run' | 'work'>) => ({
  run: run.id,
  trigger: run.trigger_name,
  triggerId: run.trigger_id,
  device: run.device_label,
  deviceId: run.device_id,
  organization: run.device_org,
  path: work.cause?.path ?? '',
  value: work.cause?.value ?? null,
  timeMs: run.fired_at,
  inputs: run.inputs.map(({ path, value }) => ({ path, value })),
})
