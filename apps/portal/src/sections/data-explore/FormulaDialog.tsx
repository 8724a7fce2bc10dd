import { validateFormula } from '@longreach/formula/validate'
import { isShownOtherwise } from '@longreach/ui/shown-unit'
import { chartColors } from '@longreach/ui/series-colors'
import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Input, TextInput } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { FormulaEditor } from '../../parts/formulas/FormulaEditor.tsx'
import { useLook } from '../../parts/look/look.ts'
import { useProblemText } from '../../parts/formulas/problem-text.ts'
import shared from './data-explore.module.css'
import classes from './FormulaDialog.module.css'
import { type FormulaLine, lettersOf } from './explore-formulas.ts'
import type { LineLook } from './explore-look.ts'
import type { Line } from './explore-url.ts'

export type FormulaInput = { line: Line; name: string; unit: string | undefined }
type Props = {
  /** Formula to change; a new one when undefined. */
  formula: FormulaLine | undefined
  look: LineLook
  inputs: readonly FormulaInput[]
  /** Texts of the other formulas: no two are the same. */
  taken: readonly string[]
  onSave: (formula: FormulaLine) => void
  onClose: () => void
}

/** A formula over the lines of the chart: its text with faults at their place, its name and unit. */
export function FormulaDialog({ formula, look, inputs, taken, onSave, onClose }: Props) {
  const t = useWords()
  const editorId = useId()
  const box = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(formula?.text ?? '')
  const [name, setName] = useState(formula?.name ?? '')
  const [unit, setUnit] = useState(formula?.unit ?? '')
  const [tried, setTried] = useState(false)
  const { temperature } = useLook()
  const isOtherwise = inputs.some(({ unit: own }) => isShownOtherwise(own, temperature))
  const letters = inputs.map(({ line }) => line.letter)
  const fault = useFault(text, letters, taken)
  const add = (letter: string) =>
    setText(text === '' || text.endsWith(' ') ? text + letter : `${text} ${letter}`)
  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      title={formula ? t('data-explore.changeFormula') : t('data-explore.addFormula')}
      verb={formula ? t('data-explore.saveFormula') : t('data-explore.addFormula')}
      pending={false}
      error={undefined}
      onSubmit={() => {
        setTried(true)
        if (fault === undefined)
          onSave({ ...look, text: text.trim(), name: name.trim(), unit: unit.trim() })
        else box.current?.querySelector<HTMLElement>('[contenteditable]')?.focus()
      }}
    >
      <Input.Wrapper
        label={t('data-explore.formula')}
        description={[
          t('data-explore.formulaHelp'),
          ...(isOtherwise ? [t('data-explore.formulaUnits')] : []),
        ].join(' ')}
        error={tried ? fault : undefined}
        labelProps={{ id: editorId }}
        labelElement="div"
      >
        <div ref={box} className={classes.editor}>
          <FormulaEditor
            label={t('data-explore.formula')}
            value={text}
            paths={letters}
            locked={false}
            onChange={setText}
          />
        </div>
      </Input.Wrapper>
      <ul className={shared.inputs} aria-label={t('data-explore.formulaLines')}>
        {inputs.map((input) => (
          <InputItem key={input.line.letter} {...input} onAdd={add} />
        ))}
      </ul>
      <div className={shared.pair}>
        <TextInput
          label={t('data-explore.formulaName')}
          maxLength={80}
          placeholder={text}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('data-explore.formulaUnit')}
          maxLength={20}
          placeholder={commonUnit(text, inputs)}
          value={unit}
          onChange={(event) => setUnit(event.currentTarget.value)}
        />
      </div>
    </FormDialog>
  )
}

function InputItem({
  line,
  name,
  unit,
  onAdd,
}: FormulaInput & { onAdd: (letter: string) => void }) {
  const t = useWords()
  return (
    <li>
      <button
        type="button"
        aria-label={t('data-explore.insertLine', { letter: line.letter, name })}
        onClick={() => onAdd(line.letter)}
      >
        <span className={shared.letter}>{line.letter}</span>
        <i className={shared.mark} style={{ background: chartColors[line.color] }} />
        <span>{name}</span>
        {unit && <small>{unit}</small>}
      </button>
    </li>
  )
}

/** Fault of the text, with its place; undefined when there is none. */
function useFault(text: string, letters: readonly string[], taken: readonly string[]) {
  const t = useWords()
  const problemText = useProblemText()
  const [issue] = validateFormula(text, { paths: letters })
  if (issue) {
    const what = problemText({ ...issue, rule: `formula.${issue.code}` })
    const place = { line: issue.startLineNumber, column: issue.startColumn }
    return text.trim() === '' ? what : `${t('data-explore.place', place)} ${what}`
  }
  if (taken.includes(text.trim())) return t('data-explore.sameFormula')
  return lettersOf(text).length === 0 ? t('data-explore.formulaNeedsLine') : undefined
}

/** The unit that all lines of a formula share, as a hint of what it may be. */
function commonUnit(text: string, inputs: readonly FormulaInput[]) {
  const read = lettersOf(text)
  const units = new Set(
    inputs.flatMap(({ line, unit }) => (read.includes(line.letter) ? [unit ?? ''] : [])),
  )
  return units.size === 1 ? [...units][0] : ''
}
