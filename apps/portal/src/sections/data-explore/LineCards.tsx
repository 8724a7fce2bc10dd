import { late } from '@longreach/ui/late'
import { ActionButton } from '@longreach/ui/ActionButton'
import { useWords } from '@longreach/ui/use-words'
import { IconMathFunction } from '@tabler/icons-react'
import { useState } from 'react'
import { CompareDevice } from './CompareDevice.tsx'
import classes from './LineCards.module.css'
import { type FormulaLine, mostFormulas } from './explore-formulas.ts'
import { freeColor, type LineLook } from './explore-look.ts'
import { type ExploreState, type Line, lineKey } from './explore-url.ts'
import { SeriesCards } from './SeriesCards.tsx'
import type { Explored } from './use-explored.ts'

const FormulaDialog = late(() => import('./FormulaDialog.tsx'), 'FormulaDialog')

type Props = {
  state: ExploreState
  explored: Explored
  onLines: (lines: readonly Line[]) => void
  onFormulas: (formulas: readonly FormulaLine[]) => void
}

/** The cards of lines and formulas, and what makes more of them. */
export function LineCards({ state, explored, onLines, onFormulas }: Props) {
  const t = useWords()
  const { lines, formulas, zone } = state
  const { series, measured, before, window } = explored
  const [editing, setEditing] = useState<{ formula: FormulaLine | undefined }>()
  const full = formulas.length >= mostFormulas
  const save = (saved: FormulaLine) => {
    const before = editing?.formula
    onFormulas(
      before ? formulas.map((one) => (one === before ? saved : one)) : [...formulas, saved],
    )
    setEditing(undefined)
  }
  return (
    <>
      <SeriesCards
        lines={lines}
        formulas={explored.formulas}
        series={series}
        before={before}
        window={window}
        zone={zone}
        onLines={onLines}
        onFormulas={onFormulas}
        onEdit={(formula) => setEditing({ formula })}
      />
      <div className={classes.adding}>
        <CompareDevice lines={lines} also={formulas} onLines={onLines} />
        <ActionButton
          reason={full ? t('data-explore.mostFormulas', { most: mostFormulas }) : undefined}
          variant="default"
          leftSection={<IconMathFunction size={15} />}
          onClick={() => setEditing({ formula: undefined })}
        >
          {t('data-explore.addFormula')}
        </ActionButton>
      </div>
      {editing && (
        <FormulaDialog
          formula={editing.formula}
          look={editing.formula ?? newLook([...lines, ...formulas])}
          inputs={lines.map((line) => {
            const one = measured.find(({ id }) => id === lineKey(line))
            return { line, name: one?.name ?? line.path, unit: one?.unit }
          })}
          taken={formulas.flatMap((one) => (one === editing.formula ? [] : [one.text]))}
          onSave={save}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

const newLook = (others: readonly LineLook[]): LineLook => ({
  axis: 'left',
  hidden: false,
  color: freeColor(others),
  kind: 'line',
})
