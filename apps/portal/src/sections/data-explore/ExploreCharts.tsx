import { late } from '@longreach/ui/late'
import { StateLanes } from '@longreach/ui/StateLanes'
import { TimeChart } from '@longreach/ui/TimeChart'
import { type TimeRange, widerWindow } from '@longreach/ui/time-range'
import { useNarrow } from '@longreach/ui/use-narrow'
import { useWords } from '@longreach/ui/use-words'
import { useState } from 'react'
import { ChartLegend } from './ChartLegend.tsx'
import { CommentList } from './CommentList.tsx'
import { ConnectionStrips } from './ConnectionStrips.tsx'
import classes from './ExploreCharts.module.css'
import { isLane, panesOf } from './explore-panes.ts'
import type { ExploreState } from './explore-url.ts'
import { type Comment, useComments } from './use-comments.ts'
import type { Explored } from './use-explored.ts'

const CommentDialog = late(() => import('./CommentDialog.tsx'), 'CommentDialog')

type Props = { state: ExploreState; explored: Explored; onRange: (range: TimeRange) => void }
/** Subject of the dialog: an existing comment, or the time of a new one. */
type Noting = { comment: Comment } | { span: { from: number; to?: number } }

/** The charts under each other with one cross-hair, states as lanes, comments over all of them. */
export function ExploreCharts({ state, explored, onRange }: Props) {
  const t = useWords()
  const narrow = useNarrow()
  const { series, before, window, away, devices } = explored
  const panes = panesOf(series, before, state.split)
  const lanes = series.filter(isLane)
  const comments = useComments(devices, window)
  const [noting, setNoting] = useState<Noting>()
  const axisWidth = 56
  const hasRight = panes.some((pane) =>
    pane.series.some(({ axis, hidden }) => axis === 'right' && !hidden),
  )
  const inset = { left: axisWidth, right: hasRight ? axisWidth : 12 }
  const height = heightOf(panes.length, narrow)
  return (
    <div className={classes.charts}>
      {panes.map((pane) => (
        <div key={pane.key}>
          {pane.title !== undefined && <h3 className={classes.paneTitle}>{pane.title}</h3>}
          <TimeChart
            label={pane.title ?? t('data-explore.chart')}
            series={pane.series}
            window={window}
            zone={state.zone}
            height={height}
            tip={!narrow}
            shades={away}
            {...(panes.length > 1 && { syncKey: 'data-explore' })}
            axisWidth={axisWidth}
            pending={explored.history.isPending && explored.history.fetchStatus !== 'idle'}
            marks={comments.marks}
            onMark={(id) => {
              const comment = comments.all.find((one) => one.id === id)
              if (comment) setNoting({ comment })
            }}
            onNote={(span) => setNoting({ span })}
            onZoom={onRange}
            onZoomOut={() => onRange(widerWindow(window, Date.now()))}
          />
        </div>
      ))}
      {lanes.length > 0 && (
        <StateLanes
          label={t('data-explore.states')}
          series={lanes}
          window={window}
          zone={state.zone}
          inset={inset}
        />
      )}
      <ConnectionStrips
        devices={devices}
        labelOf={explored.labelOf}
        presences={explored.presences}
        window={window}
        zone={state.zone}
        inset={inset}
      />
      <ChartLegend explored={explored} />
      <p className={classes.foot}>{t('data-explore.hint')}</p>
      <CommentList
        comments={comments.all}
        zone={state.zone}
        onAdd={() => setNoting({ span: { from: Math.round((window.from + window.to) / 2) } })}
        onOpen={(comment) => setNoting({ comment })}
      />
      {noting && (
        <CommentDialog
          {...noting}
          devices={devices}
          zone={state.zone}
          onClose={() => setNoting(undefined)}
        />
      )}
    </div>
  )
}

function heightOf(panes: number, narrow: boolean) {
  if (panes <= 1) return narrow ? 260 : 380
  return Math.max(narrow ? 130 : 150, Math.round(560 / panes))
}
