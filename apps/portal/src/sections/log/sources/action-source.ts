import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { type LogLine, type LogSource, sharedFields } from '../log-source.ts'

type Action = Result<(typeof alarmsContract)['endpoints']['actionLog']>['data'][number]

/** Actions of people on alarms. */
export const actionSource: LogSource = {
  name: 'action',
  needs: ['alarms:read'],
  async read(question, next, signal) {
    const { organization } = question
    const page = await alarmsApi.actionLog(
      {
        query: {
          organization,
          ...sharedFields(question),
          ...(next !== undefined && { next }),
        },
      },
      signal && { signal },
    )
    return { lines: page.data.map(lineOfAction), next: page.next }
  },
}

const lineOfAction = (action: Action): LogLine => ({
  key: `action:${action.alarm}:${action.n}`,
  source: 'action',
  at: action.at,
  organization: action.orgResourceId,
  texts: ({ findWords }) => ({
    who: action.by,
    what: findWords(`whole-log.did.${action.kind}`) ?? action.kind,
    on: `${action.device}: ${action.name}`,
    state: undefined,
  }),
  facts: () => [
    { label: 'whole-log.fact.device', value: action.device },
    { label: 'whole-log.fact.alarm', value: action.name },
    { label: 'whole-log.fact.severity', value: String(action.severity) },
    { label: 'whole-log.fact.comment', value: action.comment ?? '' },
  ],
})
