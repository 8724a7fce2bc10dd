import { closeBrackets } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldGutter } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { json } from './json-language.ts'

/** Something wrong at a place of the text, counted from 0. */
export type TextProblem = { offset: number; message: string }

type JsonEditorProps = {
  label: string
  text: string
  problems: readonly TextProblem[]
  readOnly?: boolean
  /** Moves here when it changes: a problem that somebody asked for. */
  goTo?: { offset: number } | undefined
  onChange: (text: string) => void
}

/** A text of JSON with line numbers, colours and its problems where they are. */
export function JsonEditor({ label, text, problems, readOnly, goTo, onChange }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ text, label, readOnly, onChange })
  useEffect(() => {
    latest.current = { text, label, readOnly, onChange }
  })
  useEffect(() => {
    if (!place.current) return undefined
    const { text: doc, label: name, readOnly: locked } = latest.current
    const told = EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onChange(update.state.doc.toString())
    })
    const extensions = [...looks, told, ...labelExtensions(name, locked === true)]
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({ doc, extensions }),
    })
    view.current = made
    return () => made.destroy()
  }, [])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === text) return
    const whole = { from: 0, to: editor.state.doc.length, insert: text }
    editor.dispatch({ changes: whole })
  }, [text])
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const { length } = editor.state.doc
    const marks = problems.map(({ offset, message }): Diagnostic => {
      const from = Math.min(offset, length)
      return { from, to: editor.state.doc.lineAt(from).to, severity: 'error', message }
    })
    editor.dispatch(setDiagnostics(editor.state, marks))
  }, [problems])
  useEffect(() => {
    const editor = view.current
    if (!editor || !goTo) return
    const anchor = Math.min(goTo.offset, editor.state.doc.length)
    editor.dispatch({ selection: { anchor }, scrollIntoView: true })
    editor.focus()
  }, [goTo])
  return <div ref={place} style={{ flex: 1, minHeight: 0, overflow: 'hidden' }} />
}

const labelExtensions = (label: string, readOnly: boolean): Extension[] => [
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-multiline': 'true',
    'aria-readonly': String(readOnly),
    // It takes the focus anyway; said, so that whatever scrolls it is known to be reached by keyboard.
    tabindex: '0',
  }),
  EditorState.readOnly.of(readOnly),
]

const looks: Extension[] = [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  history(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  EditorState.tabSize.of(2),
  // Tab leaves the editor, as everybody who works by keyboard needs.
  keymap.of([...defaultKeymap, ...historyKeymap]),
  json,
  EditorView.theme({
    '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--lr-panel)' },
    '.cm-content': { caretColor: 'var(--mantine-color-text)' },
    '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
    '.cm-gutters': {
      backgroundColor: 'var(--lr-head)',
      color: 'var(--mantine-color-dimmed)',
      borderRight: '1px solid var(--lr-line)',
    },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--lr-hover)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--lr-selected) !important',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--lr-panel)',
      border: '1px solid var(--lr-line)',
      color: 'var(--mantine-color-text)',
    },
  }),
]
