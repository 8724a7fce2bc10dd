import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { resolveRange } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { AuditPanel } from '../../parts/audit/AuditPanel.tsx'
import { usualZone, weekStartOf } from '../../parts/look/time-zone.ts'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useSearch } from '../../parts/pages/use-search.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { LogLinePanel } from './LogLinePanel.tsx'
import { timeOf } from './log-url.ts'
import type { LogLine, LogQuestion } from './log-source.ts'
import { readableSources } from './log-sources.ts'
import { LogTabs } from './LogTabs.tsx'
import { useLineColumns } from './line-columns.tsx'
import { useLineWords } from './use-line-words.ts'
import { useLogLines } from './use-whole-log.ts'
import { isNarrowed, noTexts, wholeLogState, type WholeLogState } from './whole-log-url.ts'
import { WholeLogActions } from './WholeLogActions.tsx'
import { WholeLogFilters } from './WholeLogFilters.tsx'

/** Log of everything that the person may read, by time, newest first. */
export function WholeLog() {
  const t = useWords()
  const [search, change] = useSearch()
  const state = wholeLogState(search)
  const { question, moment, renew } = useQuestion(state)
  const may = useMay()
  const sources = readableSources(state.kind, may)
  const list = useLogLines(sources, question)
  const rows = list.data?.pages.flatMap(({ lines }) => lines) ?? []
  const failed = new Set(list.data?.pages.flatMap((page) => page.failed))
  const words = useLineWords()
  const opened = rows.find(({ key }) => key === state.open)
  const close = () => void change({ line: undefined })
  return (
    <ListPage
      title={t('shell.section.log')}
      help={t('whole-log.help')}
      actions={<WholeLogActions {...{ sources, question, words }} onRefresh={renew} />}
      above={
        <>
          <LogTabs />
          {[...failed].map((name) => (
            <ErrorPanel
              key={name}
              tone="warning"
              message={t('whole-log.away', { source: t(`whole-log.source.${name}`) })}
              onRetry={() => void list.refetch()}
            />
          ))}
        </>
      }
      name="whole-log"
      columns={useLineColumns(words, state.below)}
      rows={rows}
      rowId={({ key }) => key}
      selected={state.open}
      onOpen={({ key }) => void change({ line: key })}
      list={list}
      toolbar={
        <WholeLogFilters
          state={state}
          window={resolveRange(state.range, moment.now, moment.zone, moment.weekStart)}
          zone={moment.zone}
          onChange={change}
        />
      }
      footer={
        rows.length > 0 && (
          <span>
            {t(list.hasNextPage ? 'whole-log.shownMore' : 'whole-log.shown', {
              shown: rows.length,
            })}
          </span>
        )
      }
      none={{
        title: t('whole-log.none'),
        text: t('whole-log.noneText'),
        action: state.range !== '90d' && (
          <Button variant="default" onClick={() => void change({ time: '90d' })}>
            {t('log.widen')}
          </Button>
        ),
      }}
      filtered={
        isNarrowed(state)
          ? {
              title: t('log.notFound'),
              clear: t('log.clearFilter'),
              onClear: () => void change(noTexts),
            }
          : undefined
      }
      panel={opened && <OpenedLine line={opened} words={words} onClose={close} />}
    />
  )
}

type OpenedProps = {
  line: LogLine
  words: ReturnType<typeof useLineWords>
  onClose: () => void
}

function OpenedLine({ line, words, onClose }: OpenedProps) {
  return line.entry === undefined ? (
    <LogLinePanel key={line.key} line={line} words={words} onClose={onClose} />
  ) : (
    <AuditPanel key={line.key} id={line.entry} organization={line.organization} onClose={onClose} />
  )
}

/** Question that the address asks, of a moment that stands still until the person asks for new lines. */
function useQuestion({ range, text, person, device, below }: WholeLogState) {
  const { locale } = useIntl()
  const org = useSession().organization.resourceId
  const [now, setNow] = useState(() => Date.now())
  const zone = usualZone()
  const moment = { now, zone, weekStart: weekStartOf(locale) }
  const { from, to } = timeOf({ range }, moment)
  const question: LogQuestion = {
    organization: below ? `${org}.*` : org,
    from: from.getTime(),
    to: to?.getTime(),
    text,
    person,
    device,
  }
  return { question, moment, renew: () => setNow(Date.now()) }
}
