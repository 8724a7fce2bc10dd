import { late } from '@longreach/ui/late'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { PageHeader } from '@longreach/ui/PageHeader'
import { PaneDivider } from '@longreach/ui/PaneDivider'
import { useNarrow } from '@longreach/ui/use-narrow'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconListTree } from '@tabler/icons-react'
import { type CSSProperties, useMemo, useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { usePaneWidth } from '../../parts/kept/pane-width.ts'
import { SavedViewsMenu } from '../../parts/saved-views/SavedViewsMenu.tsx'
import { useSearch } from '../../parts/pages/use-search.ts'
import classes from './ExplorePage.module.css'
import { ExploreStart } from './ExploreStart.tsx'
import { ExportButton } from './ExportButton.tsx'
import { type FormulaLine, formulaLineText } from './explore-formulas.ts'
import { exploreState, type Line, lineText, toggled } from './explore-url.ts'
import { useDropped } from './use-dropped.ts'
import { useExplored } from './use-explored.ts'
import { useKeepDrawn } from './use-recent-values.ts'
import { useOpenView, useSavedViews } from './use-views.ts'
import { ValueTree } from './ValueTree.tsx'

const ExplorePanel = late(() => import('./ExplorePanel.tsx'), 'ExplorePanel')
const TreeDrawer = late(() => import('./TreeDrawer.tsx'), 'TreeDrawer')

/** Values of any devices over time, side by side; everything that is chosen stands in the address. */
export function Component() {
  const t = useWords()
  const errorText = useErrorText()
  const [search, change] = useSearch()
  const state = useMemo(() => exploreState(search), [search])
  const narrow = useNarrow()
  const [side, setSide] = usePaneWidth('explorer')
  const open = useOpenView()
  const views = useSavedViews(open, state.lines.length > 0)
  const { ref, width } = useElementSize()
  // Rounded, so that a scroll bar that comes or goes asks nothing anew.
  const explored = useExplored(state, Math.max(300, Math.round((width || 900) / 100) * 100))
  const setLines = (lines: readonly Line[]) => void change({ s: lines.map(lineText) })
  const setFormulas = (formulas: readonly FormulaLine[]) =>
    void change({ f: formulas.length === 0 ? undefined : formulas.map(formulaLineText) })
  const choose = (device: string, path: string) =>
    setLines(toggled(state.lines, { device, path }, state.formulas))
  const dropped = useDropped(state, setLines)
  useKeepDrawn(state.lines)
  return (
    <div className={classes.page} style={sideWidth(side)}>
      <div className={classes.top}>
        <PageHeader
          title={t('shell.section.data-explore')}
          help={t('data-explore.help')}
          actions={
            <>
              <SavedViewsMenu views={views} />
              <ExportButton state={state} explored={explored} />
            </>
          }
        />
      </div>
      {!narrow && <TreeSide lines={state.lines} onChoose={choose} />}
      {!narrow && (
        <PaneDivider label={t('data-explore.treeWidth')} pane="before" onWidth={setSide} />
      )}
      <div className={classes.main}>
        {narrow && <ChooseButton lines={state.lines} onChoose={choose} />}
        {open.error && <ErrorPanel {...errorText(open.error)} />}
        <section className={classes.panel} ref={ref} {...dropped}>
          {state.lines.length === 0 ? (
            <ExploreStart onLines={setLines} />
          ) : (
            <ExplorePanel
              state={state}
              explored={explored}
              onLines={setLines}
              onFormulas={setFormulas}
            />
          )}
        </section>
      </div>
    </div>
  )
}

const sideWidth = (px: number | undefined) =>
  (px === undefined ? {} : { '--side': `${px}px` }) as CSSProperties // a property of the style sheet

type TreeProps = { lines: readonly Line[]; onChoose: (device: string, path: string) => void }

function TreeSide(props: TreeProps) {
  const t = useWords()
  return (
    <aside className={classes.side} aria-label={t('data-explore.tree')}>
      <ValueTree {...props} />
    </aside>
  )
}

function ChooseButton(props: TreeProps) {
  const t = useWords()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="default"
        className={classes.chooseButton}
        leftSection={<IconListTree size={16} />}
        onClick={() => setOpened(true)}
      >
        {t('data-explore.choose', { count: props.lines.length })}
      </Button>
      {opened && <TreeDrawer {...props} onClose={() => setOpened(false)} />}
    </>
  )
}
