import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { api } from '../../../parts/api/api.ts'
import { type LogLine, type LogSource, sharedFields } from '../log-source.ts'

type Moment = Result<(typeof platformContract)['endpoints']['timelineOfDevices']>['data'][number]

/** Time-lines of all devices; what people did on alarms comes from another source. */
export const deviceSource: LogSource = {
  name: 'device',
  needs: ['devices:read'],
  async read(question, next, signal) {
    const { from: since, ...fields } = sharedFields(question)
    const page = await api.platform.timelineOfDevices(
      {
        params: { org: question.organization },
        query: {
          since: new Date(since).toISOString(),
          ...fields,
          ...(fields.to !== undefined && { to: new Date(fields.to).toISOString() }),
          without: ['alarmAction'],
          ...(next !== undefined && { before: next }),
        },
      },
      signal && { signal },
    )
    return { lines: page.data.map(lineOfMoment), next: page.next }
  },
}

const lineOfMoment = (moment: Moment): LogLine => ({
  key: `device:${moment.id}`,
  source: 'device',
  at: moment.at,
  organization: moment.orgResourceId,
  texts: ({ findWords }) => ({
    who: moment.by ?? '',
    what: findWords(`whole-log.moment.${wordOf(moment)}`) ?? moment.kind,
    on: [moment.device, moment.modelPath ?? ''].filter((part) => part !== '').join(' · '),
    state: undefined,
  }),
  facts: () => [
    { label: 'whole-log.fact.device', value: moment.device },
    { label: 'whole-log.fact.path', value: moment.modelPath ?? '' },
    ...Object.entries(moment.data).map(([field, value]) => ({
      label: 'whole-log.fact.data' as const,
      value: `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    })),
  ],
})

/** Word of an entry: its kind, or of a connection whether it came. */
const wordOf = ({ kind, data }: Moment) =>
  kind === 'connection' ? (data['connected'] === true ? 'connected' : 'disconnected') : kind
