import { useWords } from '@longreach/ui/use-words'
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import type { DragEvent } from 'react'
import { one, useSearch } from '../../lib/use-search.ts'
import { bind, type Binding, bindingOf, canBind, sourceFor, unbind } from './bind-rules.ts'
import { PickList } from './PickList.tsx'
import type { Row, Tree } from './preset-tree-rules.ts'
import { nodeAt } from './preset-tree-rules.ts'
import classes from './presets.module.css'
import type { Problem } from './problem-rules.ts'
import type { Editor } from './use-editor.ts'

const filters = ['all', 'unbound', 'bound', 'problems'] as const
export const tagFormat = 'application/x-longreach-tag'

/** The model's values with what each is made from. */
export function ValuesPane({ editor, onTags }: { editor: Editor; onTags: () => void }) {
  const t = useWords()
  const [search, change] = useSearch()
  const { draft, model, values, suggestions, selected, active } = editor
  const filter = filters.find((name) => name === one(search['show'])) ?? 'all'
  const text = one(search['value']) ?? ''
  const rows = shownRows(editor, filter, text)
  const link = (row: Row, tag: string) =>
    editor.change(bind(draft.data, model, row, sourceFor(row, tag)))
  const onKey = (key: string, row: Row) => {
    const suggested = suggestions.get(row.path)
    if (key === 'y' && suggested) link(row, suggested.source)
    else if (key === 'Delete' || key === 'Backspace') {
      const chosen = editor.chosen.length > 0 ? editor.chosen : [row]
      editor.change(chosen.reduce((tree: Tree, each) => unbind(tree, model, each), draft.data))
    } else return false
    return true
  }
  const bound = values.filter((row) => bindingOf(draft.data, row)).length
  return (
    <section className={classes.pane} aria-label={t('presets.values')}>
      <header className={classes.paneHead}>
        <h2>{t('presets.values')}</h2>
        <span className={classes.dim}>{t('presets.boundOf', { bound, total: values.length })}</span>
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
      {rows.length === 0 ? (
        <p className={classes.dim}>{t('presets.noValues')}</p>
      ) : (
        <PickList
          label={t('presets.values')}
          items={rows}
          idOf={({ path }) => path}
          active={active?.path}
          selected={selected}
          onPick={editor.pick}
          onEnter={onTags}
          onKey={onKey}
          drop={(row, event) => {
            const tag = droppedTag(event)
            if (tag !== '' && canBind(row)) link(row, tag)
          }}
        >
          {(row) => <ValueLine editor={editor} row={row} />}
        </PickList>
      )}
      <p className={classes.hint}>{t('presets.keys')}</p>
    </section>
  )
}

const droppedTag = (event: DragEvent) => event.dataTransfer.getData(tagFormat)

function shownRows({ rows, draft, problems }: Editor, filter: string, text: string) {
  const needle = text.trim().toLocaleLowerCase()
  return rows.filter((row) => {
    if (needle !== '' && !`${row.path} ${row.label ?? ''}`.toLocaleLowerCase().includes(needle)) {
      return false
    }
    if (filter === 'all') return true
    if (filter === 'problems') return problems.has(row.path)
    return canBind(row) && (bindingOf(draft.data, row) !== undefined) === (filter === 'bound')
  })
}

/** What matches by name: all of it at one press. */
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

function ValueLine({ editor, row }: { editor: Editor; row: Row }) {
  const t = useWords()
  const { draft, problems, suggestions } = editor
  const depth = row.keys.length - 1
  const binding = bindingOf(draft.data, row)
  const suggested = suggestions.get(row.path)
  const mode = nodeAt(draft.data, row.keys)?.mode
  return (
    <>
      <span className={classes.valueName} style={{ paddingLeft: depth * 14 }}>
        {row.name}
        <small>{row.kind === 'array' ? `${row.type} [${row.length ?? 0}]` : row.type}</small>
      </span>
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
