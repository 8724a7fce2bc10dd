import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { linter, lintKeymap } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { completionsAt } from '@longreach/formula/complete'
import { validateFormula } from '@longreach/formula/validate'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import classes from './FormulaEditor.module.css'
import { useProblemText } from './problem-text.ts'

type Props = {
  label: string
  value: string
  /** Paths that the formula may name. */
  paths: readonly string[]
  locked: boolean
  onChange: (text: string) => void
}

/** A text field that knows formulas: paths and functions while typing, faults at their place. */
export function FormulaEditor({ label, value, paths, locked, onChange }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const help = useRef(new Compartment())
  const tell = useEffectEvent(onChange)
  const told = useProblemText()
  const aid = useMemo(() => aided(paths, told), [paths, told])
  const first = useEffectEvent(() => [value, aid] as const)
  useEffect(() => {
    if (!box.current) return undefined
    const [doc, firstAid] = first()
    const made = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc,
        extensions: [
          history(),
          keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorState.readOnly.of(locked),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) tell(update.state.doc.toString())
          }),
          help.current.of(firstAid),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [label, locked])
  useEffect(() => {
    view.current?.dispatch({ effects: help.current.reconfigure(aid) })
  }, [aid])
  // An undo outside, or another value, changes the text here too.
  useEffect(() => {
    const now = view.current
    if (!now || now.state.doc.toString() === value) return
    now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: value } })
  }, [value])
  return <div ref={box} className={classes.formula} />
}

/** Every `${0}` as a number as long as it is, so that places stay. */
const withAnyPlace = (text: string) =>
  text.replaceAll(/\$\{\d{1,3}\}/g, (whole) => '0'.repeat(whole.length))

/** Faults of a formula; an empty one has none yet. */
const faultsIn = (text: string, paths: readonly string[]) =>
  text.trim() === '' ? [] : validateFormula(withAnyPlace(text), { paths })

const aided = (paths: readonly string[], told: ReturnType<typeof useProblemText>) => [
  autocompletion({
    override: [
      ({ state, pos, explicit }) => {
        const { from, to, options } = completionsAt(state.doc.toString(), pos, { paths })
        if (options.length === 0 || (from === to && !explicit)) return null
        return {
          from,
          to,
          filter: false,
          options: options.map(({ label, kind, apply, detail }) => ({
            label,
            apply,
            type: kind === 'path' ? 'variable' : kind === 'word' ? 'keyword' : 'function',
            ...(detail !== undefined && { detail }),
          })),
        }
      },
    ],
  }),
  linter(
    ({ state: { doc } }) =>
      faultsIn(doc.toString(), paths).map((found) => {
        const at = (line: number, column: number) =>
          Math.min(doc.length, doc.line(Math.min(line, doc.lines)).from + column - 1)
        return {
          from: at(found.startLineNumber, found.startColumn),
          to: at(found.endLineNumber, found.endColumn),
          severity: 'error' as const,
          message: told({ ...found, rule: `formula.${found.code}` }),
        }
      }),
    { delay: 250 },
  ),
]
