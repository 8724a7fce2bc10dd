import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Tag, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button, SegmentedControl } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { type Run, type Trigger, useTriggerOrganization } from '../trigger-calls.ts'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import classes from './activity.module.css'
import { RunTrace } from './RunTrace.tsx'

const kinds = ['all', 'acted', 'almost', 'failed'] as const
const tones: Record<Run['kind'], Tone> = { acted: 'ok', almost: 'off', failed: 'alarm' }

/** Runs of a trigger, newest first; a press opens what a run saw and did. */
export function RunList({ trigger }: { trigger: Trigger }) {
  const t = useWords()
  const [search, change] = useSearch()
  const kind = kinds.find((name) => name === one(search['kind'])) ?? 'all'
  const list = useRuns(trigger.id, kind === 'all' ? undefined : kind)
  const runs = list.data?.pages.flatMap(({ data }) => data)
  const opened = one(search['run'])
  return (
    <Panel
      title={t('trigger-runs.runs')}
      beside={
        <SegmentedControl
          size="xs"
          aria-label={t('trigger-runs.kind')}
          data={kinds.map((value) => ({ value, label: t(`trigger-runs.kindOf.${value}`) }))}
          value={kind}
          onChange={(next) => void change({ kind: next === 'all' ? undefined : next })}
        />
      }
    >
      {runs === undefined ? (
        <ContentPending error={list.error} refetch={() => void list.refetch()} rows={5} />
      ) : runs.length === 0 ? (
        <EmptyState
          kind={kind === 'all' ? 'nothing' : 'filtered'}
          title={t('trigger-runs.none')}
          text={t('trigger-runs.noneText')}
        />
      ) : (
        <>
          <ol className={classes.runs}>
            {runs.map((run) => (
              <RunRow
                key={run.id}
                run={run}
                trigger={trigger}
                isOpen={run.id === opened}
                onPress={() => void change({ run: run.id === opened ? undefined : run.id })}
              />
            ))}
          </ol>
          {list.hasNextPage && (
            <Button
              variant="default"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {t('trigger-runs.more')}
            </Button>
          )}
        </>
      )}
    </Panel>
  )
}

/** Runs of a trigger, page after page, asked again every 10 s. */
function useRuns(id: string, kind: Run['kind'] | undefined) {
  const query = useTriggerOrganization()
  return useInfiniteQuery({
    queryKey: [triggersApi.runsOfTrigger.key, id, query.organization, kind],
    queryFn: ({ pageParam: next, signal }) =>
      triggersApi.runsOfTrigger(
        {
          params: { id },
          query: { ...query, pageSize: 50, ...(kind && { kind }), ...(next !== '' && { next }) },
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
}

type RowProps = { run: Run; trigger: Trigger; isOpen: boolean; onPress: () => void }

function RunRow({ run, trigger, isOpen, onPress }: RowProps) {
  const t = useWords()
  const traceId = `run-${run.id}`
  return (
    <li className={classes.run}>
      <button
        type="button"
        className={classes.runHead}
        aria-expanded={isOpen}
        aria-controls={isOpen ? traceId : undefined}
        onClick={onPress}
      >
        <IconChevronRight size={16} stroke={1.7} className={classes.chevron} aria-hidden="true" />
        <Tag tone={tones[run.kind]}>{t(`trigger-runs.kindOf.${run.kind}`)}</Tag>
        <span className={classes.reason}>
          <b>{run.deviceLabel}</b> {t(`trigger-runs.reason.${run.reason}`)}
        </span>
        <span className={classes.states}>
          {run.actions.map(({ type, state }, index) => (
            <span
              // An action has no other name than its place here.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              className={classes.state}
              data-state={state}
            >
              {t(`trigger-runs.short.${type}`)}
            </span>
          ))}
        </span>
        <span className={classes.at}>
          <RelativeTime at={run.firedAt} />
        </span>
      </button>
      {isOpen && (
        <div id={traceId} className={classes.trace}>
          <RunTrace trigger={trigger} runId={run.id} />
        </div>
      )}
    </li>
  )
}
