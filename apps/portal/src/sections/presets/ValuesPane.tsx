import { useWords } from '@longreach/ui/use-words'
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { ModelTree } from '../../parts/models/ModelTree.tsx'
import { modelPathOf, type NodeId, type TreeRow } from '../../parts/models/model-tree-rules.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { bind, type Binding, bindingOf, canBind, sourceFor, unbind } from './bind-rules.ts'
import type { Row, Tree } from './preset-tree-rules.ts'
import { nodeAt } from './preset-tree-rules.ts'
import shared from './presets.module.css'
import classes from './ValuesPane.module.css'
import type { Problem } from './problem-rules.ts'
import { treeLines } from './tree-lines.ts'
import type { Editor } from './use-editor.ts'

const filters = ['all', 'unbound', 'bound', 'problems'] as const
export const tagFormat = 'application/x-longreach-tag'

/** The model's values with what each is made from. */
export function ValuesPane({ editor, onTags }: { editor: Editor; onTags: () => void }) {
  const t = useWords()
  const [search, change] = useSearch()
  const { draft, values } = editor
  const filter = filters.find((name) => name === one(search['show'])) ?? 'all'
  const text = one(search['value']) ?? ''
  const bound = values.filter((row) => bindingOf(draft.data, row)).length
  return (
    <section className={shared.pane} aria-label={t('presets.values')}>
      <header className={shared.paneHead}>
        <h2>{t('presets.values')}</h2>
        <span className={shared.dim}>{t('presets.boundOf', { bound, total: values.length })}</span>
      </header>
      <TextInput
        size="xs"
        aria-label={t('presets.findValue')}
        placeholder={t('presets.findValue')}
        value={text}
        onChange={(event) => void change({ value: event.currentTarget.value })}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('presets.show')}
        value={filter}
        onChange={(show) => void change({ show: show === 'all' ? undefined : show })}
        data={filters.map((value) => ({ value, label: t(`presets.show.${value}`) }))}
      />
      <Matches editor={editor} />
      <ValuesTree editor={editor} filter={filter} text={text} onTags={onTags} />
      <p className={shared.hint}>{t('presets.keys')}</p>
    </section>
  )
}

type TreeProps = { editor: Editor; filter: string; text: string; onTags: () => void }

/** The model as a tree: objects, structs and arrays are folded by the person, nothing is at first. */
function ValuesTree({ editor, filter, text, onTags }: TreeProps) {
  const t = useWords()
  const { draft, model, rows, suggestions, selected, activePath } = editor
  const [closed, setClosed] = useState<ReadonlySet<NodeId>>(new Set())
  const byPath = useMemo(() => new Map(rows.map((row) => [row.path, row])), [rows])
  const wanted =
    filter === 'all' && text.trim() === '' ? undefined : shownRows(editor, filter, text)
  const lines = treeLines(model, { closed, known: byPath, wanted })
  const rowOf = ({ id }: TreeRow) => byPath.get(modelPathOf(id))
  const link = (row: Row, tag: string) =>
    editor.change(bind(draft.data, model, row, sourceFor(row, tag)))
  const onKey = (key: string, row: Row) => {
    const suggested = suggestions.get(row.path)
    if (key === 'Enter') onTags()
    else if (key === 'y' && suggested) link(row, suggested.source)
    else if (key === 'Delete' || key === 'Backspace') {
      const chosen = editor.chosen.length > 0 ? editor.chosen : [row]
      editor.change(chosen.reduce((tree: Tree, each) => unbind(tree, model, each), draft.data))
    } else return false
    return true
  }
  if (lines.length === 0) return <p className={shared.dim}>{t('presets.noValues')}</p>
  return (
    <div className={shared.tree}>
      <ModelTree
        label={t('presets.values')}
        rows={lines}
        chosen={new Set(lines.filter(({ id }) => selected.has(modelPathOf(id))).map(idOfLine))}
        active={lines.find(({ id }) => modelPathOf(id) === activePath)?.id ?? ''}
        onChoose={(chosen, active) =>
          editor.pick(modelPathOf(active), new Set(chosen.map(modelPathOf)))
        }
        onToggle={(id, open) => setClosed(toggled(closed, id, open))}
        onOpen={onTags}
        onKey={({ key, ctrlKey, metaKey }, line) => {
          const row = rowOf(line)
          return row !== undefined && !ctrlKey && !metaKey && onKey(key, row)
        }}
        dropsOn
        mayDrop={(line, _, data) => {
          const row = rowOf(line)
          return row !== undefined && canBind(row) && data.types.includes(tagFormat)
        }}
        onDrop={(line, _, data) => {
          const [row, tag] = [rowOf(line), data.getData(tagFormat)]
          if (row && canBind(row) && tag !== '') link(row, tag)
        }}
        renderName={(line) => <ValueName line={line} row={rowOf(line)} />}
        renderBeside={(line) => {
          const row = rowOf(line)
          return row && <ValueFacts editor={editor} row={row} />
        }}
      />
    </div>
  )
}

const idOfLine = ({ id }: TreeRow) => id

function toggled(closed: ReadonlySet<NodeId>, id: NodeId, open: boolean) {
  const next = new Set(closed)
  if (open) next.delete(id)
  else next.add(id)
  return next
}

function shownRows({ rows, draft, problems }: Editor, filter: string, text: string) {
  const needle = text.trim().toLocaleLowerCase()
  const found = rows.filter((row) => {
    if (needle !== '' && !`${row.path} ${row.label ?? ''}`.toLocaleLowerCase().includes(needle)) {
      return false
    }
    if (filter === 'all') return true
    if (filter === 'problems') return problems.has(row.path)
    return canBind(row) && (bindingOf(draft.data, row) !== undefined) === (filter === 'bound')
  })
  return new Set(found.map(({ path }) => path))
}

/** Button that links all values and tags with matching names. */
function Matches({ editor }: { editor: Editor }) {
  const t = useWords()
  const { suggestions, values, draft, model, locked } = editor
  if (suggestions.size === 0 || locked) return null
  const acceptAll = () =>
    editor.change(
      values.reduce((tree: Tree, row) => {
        const found = suggestions.get(row.path)
        return found ? bind(tree, model, row, sourceFor(row, found.source)) : tree
      }, draft.data),
    )
  return (
    <div className={classes.matches}>
      <span>{t('presets.matches', { count: suggestions.size })}</span>
      <Button size="compact-xs" onClick={acceptAll}>
        {t('presets.acceptAll')}
      </Button>
    </div>
  )
}

/** By its label, with unit and type; the name in the model stands where there is no label, else in the title. */
function ValueName({ line: { name, kind, node }, row }: { line: TreeRow; row: Row | undefined }) {
  const type = String(node['type'])
  const shape = kind === 'array' ? `${type} [${String(node['length'])}]` : type
  const { label, unit } = row ?? {}
  return (
    <>
      <span title={name}>{label ?? name}</span>{' '}
      <small>{[unit, shape].filter((fact) => fact !== undefined).join(' · ')}</small>
    </>
  )
}

function ValueFacts({ editor, row }: { editor: Editor; row: Row }) {
  const t = useWords()
  const { draft, problems, suggestions } = editor
  const binding = bindingOf(draft.data, row)
  const suggested = suggestions.get(row.path)
  const mode = nodeAt(draft.data, row.keys)?.mode
  return (
    <>
      <span className={classes.valueLink} data-suggested={!binding && suggested ? true : undefined}>
        {binding
          ? linkText(binding)
          : suggested && t('presets.suggested', { tag: suggested.source, score: suggested.score })}
      </span>
      <span className={classes.mode}>{binding && mode}</span>
      <ProblemMark problems={problems.get(row.path) ?? []} />
    </>
  )
}

const linkText = ({ source, formula }: Binding) => source ?? `ƒ ${formula ?? ''}`

function ProblemMark({ problems }: { problems: readonly Problem[] }) {
  const t = useWords()
  if (problems.length === 0) return null
  const kind = problems.some((one) => one.kind === 'error') ? 'error' : 'warning'
  return (
    <span data-kind={kind} className={classes.mark}>
      {kind === 'error' ? '!' : '△'}
      <span className={classes.hidden}>{t(`presets.kind.${kind}`)}</span>
    </span>
  )
}
