import type { Result } from '@longreach/kit/contract'
import type { triggersContract } from '@longreach/triggers/contract'
import type { Tone } from '@longreach/ui/StatusDot'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import type { LogLine, LogSource } from '../log-source.ts'

type Run = Result<(typeof triggersContract)['endpoints']['runs']>['data'][number]

const tones: Record<Run['kind'], Tone> = { acted: 'ok', almost: 'off', failed: 'alarm' }

/** Runs of triggers, which no person starts: a question for a person finds none. */
export const runSource: LogSource = {
  name: 'run',
  needs: ['audit:access'],
  async read({ organization, from, to, text, person, device }, next, signal) {
    if (person !== '') return { lines: [], next: null }
    const search = [text, device].filter((word) => word !== '').join(' ')
    const page = await triggersApi.runs(
      {
        query: {
          organization,
          from,
          ...(to !== undefined && { to }),
          ...(search !== '' && { search }),
          ...(next !== undefined && { next }),
        },
      },
      signal && { signal },
    )
    return { lines: page.data.map(lineOfRun), next: page.next }
  },
}

const lineOfRun = (run: Run): LogLine => ({
  key: `run:${run.id}`,
  source: 'run',
  at: run.at,
  organization: run.orgResourceId,
  texts: ({ t }) => ({
    who: '',
    what: t('whole-log.run', { trigger: run.triggerName }),
    on: run.deviceLabel,
    state: { tone: tones[run.kind], text: t(`whole-log.run.${run.kind}`) },
  }),
  facts: ({ t }) => [
    { label: 'whole-log.fact.trigger', value: run.triggerName },
    { label: 'whole-log.fact.device', value: run.deviceLabel },
    { label: 'whole-log.fact.gate', value: t(`whole-log.reason.${run.reason}`) },
    { label: 'whole-log.fact.course', value: run.text },
  ],
})
