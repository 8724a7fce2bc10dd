import { late } from '@longreach/ui/late'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { Button, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useFeature } from '../../parts/session/features.ts'
import { useProblemText } from '../../parts/formulas/problem-text.ts'
import {
  bind,
  type Binding,
  bindingOf,
  changeLeaves,
  compute,
  type LeafChange,
  unbind,
} from './bind-rules.ts'
import { LastDay } from './LastDay.tsx'
import { PolicyForm } from './PolicyForm.tsx'
import {
  childrenOf,
  type Leaf,
  nodeAt,
  type Policy,
  type Row,
  usualPolicy,
} from './preset-tree-rules.ts'
import classes from './presets.module.css'
import type { Editor } from './use-editor.ts'
import { valueNames } from './value-names.ts'

/** With the explanation below, so that fields beside each other stand in one line. */
const explained: ('label' | 'input' | 'description')[] = ['label', 'input', 'description']

const FormulaField = late(() => import('./FormulaField.tsx'), 'FormulaField')

/** Settings of the chosen values: their link, storage and sending; of several at once as far as they agree. */
export function Inspector({ editor }: { editor: Editor }) {
  const t = useWords()
  const { active, chosen, draft, rows: all } = editor
  const nameOf = useMemo(() => valueNames(all), [all])
  const many = chosen.length > 1
  if (!active) {
    return (
      <aside className={classes.pane} aria-label={t('presets.inspector')}>
        <p className={classes.dim}>{t('presets.chooseValue')}</p>
      </aside>
    )
  }
  const rows = many ? chosen : [active]
  const { name, path } = nameOf(active.path)
  const linked = rows.filter((row) => nodeAt(draft.data, row.keys) && row.kind !== 'field')
  return (
    <aside className={classes.pane} aria-label={t('presets.inspector')}>
      <header className={classes.paneHead}>
        <h2>{many ? t('presets.chosen', { count: chosen.length }) : name}</h2>
      </header>
      {!many && <Facts row={active} named={path !== undefined} />}
      {!many && <Problems editor={editor} row={active} />}
      {!many && <Link editor={editor} row={active} />}
      {!many && <LastDay editor={editor} row={active} />}
      {linked.length > 0 && <Behaviour editor={editor} rows={linked} />}
    </aside>
  )
}

/** Its path, where it is called otherwise, and its unit. */
function Facts({ row: { path, unit }, named }: { row: Row; named: boolean }) {
  const facts = [named ? path : undefined, unit].filter((fact) => fact !== undefined)
  return facts.length > 0 && <p className={classes.dim}>{facts.join(' · ')}</p>
}

function Problems({ editor, row }: { editor: Editor; row: Row }) {
  const findWords = useOptionalWords()
  const told = useProblemText()
  const problems = editor.problems.get(row.path) ?? []
  if (problems.length === 0) return null
  return (
    <ul className={classes.problems}>
      {problems.map(({ kind, issue, warning }) => (
        <li key={`${issue?.path} ${issue?.message}${warning?.rule}`} data-kind={kind}>
          {issue && told(issue)}
          {warning &&
            (findWords(`presets.warning.${warning.rule}`, { ...warning }) ?? warning.rule)}
        </li>
      ))}
    </ul>
  )
}

function Link({ editor, row }: { editor: Editor; row: Row }) {
  const t = useWords()
  const { draft, model, locked, suggestions } = editor
  const binding = bindingOf(draft.data, row)
  const suggested = suggestions.get(row.path)
  const { formula } = binding ?? {}
  const toTag = (source: string) =>
    editor.change(
      source === '' ? unbind(draft.data, model, row) : bind(draft.data, model, row, source),
      `tag ${row.path}`,
    )
  return (
    <div className={classes.stack}>
      <MadeFrom editor={editor} row={row} />
      {formula === undefined ? (
        <TextInput
          size="xs"
          label={t('presets.tag')}
          description={row.indexes > 0 ? t('presets.indexHelp') : undefined}
          disabled={locked}
          value={binding?.source ?? ''}
          onChange={(event) => toTag(event.currentTarget.value)}
        />
      ) : (
        <FormulaField key={row.path} editor={editor} row={row} formula={formula} />
      )}
      {!locked && <LinkButton binding={binding} suggested={suggested?.source} onLink={toTag} />}
    </div>
  )
}

type ButtonProps = {
  binding: Binding | undefined
  suggested: string | undefined
  /** With an empty text the link goes. */
  onLink: (tag: string) => void
}

function LinkButton({ binding, suggested, onLink }: ButtonProps) {
  const t = useWords()
  if (binding) {
    return (
      <Button size="compact-xs" variant="subtle" onClick={() => onLink('')}>
        {t('presets.unbind')}
      </Button>
    )
  }
  if (suggested === undefined) return null
  return (
    <Button size="compact-xs" variant="default" onClick={() => onLink(suggested)}>
      {t('presets.accept', { tag: suggested })}
    </Button>
  )
}

/** From a tag, or computed where the feature is on (and where it is computed already). */
function MadeFrom({ editor, row }: { editor: Editor; row: Row }) {
  const t = useWords()
  const offered = useFeature('formulaMapping')
  const { draft, model, locked } = editor
  const computed = bindingOf(draft.data, row)?.formula !== undefined
  if (row.kind !== 'leaf' || (!offered && !computed)) return null
  const make = (kind: string) =>
    kind === 'tag' ? unbind(draft.data, model, row) : compute(draft.data, model, row, '')
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('presets.madeFrom')}
      disabled={locked}
      value={computed ? 'formula' : 'tag'}
      onChange={(kind) => editor.change(make(kind))}
      data={[
        { value: 'tag', label: t('presets.tag') },
        { value: 'formula', label: t('presets.formula') },
      ]}
    />
  )
}

/** Setting that all leaves share; undefined when they differ. */
function common<T>(leaves: readonly Leaf[], pick: (leaf: Leaf) => T): T | undefined {
  const [first] = leaves
  if (!first) return undefined
  const text = JSON.stringify(pick(first))
  return leaves.every((leaf) => JSON.stringify(pick(leaf)) === text) ? pick(first) : undefined
}

function Behaviour({ editor, rows }: { editor: Editor; rows: readonly Row[] }) {
  const t = useWords()
  const { draft, model, locked } = editor
  const leaves = rows
    .map((row) => nodeAt(draft.data, row.keys))
    .filter((leaf) => leaf !== undefined)
  const computed = rows.every((row) => bindingOf(draft.data, row)?.formula !== undefined)
  const mode = common(leaves, (leaf) => leaf.mode)
  const history = common(leaves, (leaf) => leaf.historyPolicy)
  const policy = common(leaves, (leaf) => leaf.sendPolicy)
  const change = (what: LeafChange, field?: string) => {
    const mark = field && [field, ...rows.map(({ path }) => path)].join(' ')
    editor.change(changeLeaves(draft.data, model, rows, what), mark)
  }
  const keep = (part: Partial<NonNullable<typeof history>>) =>
    change({ historyPolicy: { ...(history ?? { enabled: true }), ...part } }, 'history')
  const fields = rows[0]?.kind === 'struct' ? fieldsOf(editor, rows[0]) : []
  return (
    <div className={classes.stack}>
      {!computed && (
        <SegmentedControl
          size="xs"
          aria-label={t('presets.mode')}
          disabled={locked}
          value={mode ?? ''}
          onChange={(next) => change({ mode: next === 'RW' ? 'RW' : 'R' })}
          data={[
            { value: 'R', label: t('presets.mode.R') },
            { value: 'RW', label: t('presets.mode.RW') },
          ]}
        />
      )}
      <Switch
        label={t('presets.history')}
        description={t('presets.historyHelp')}
        disabled={locked}
        checked={history?.enabled ?? false}
        onChange={(event) => keep({ enabled: event.currentTarget.checked })}
      />
      {history?.enabled === true && (
        <div className={classes.pair}>
          <TextInput
            size="xs"
            label={t('presets.limit')}
            description={t('presets.passedOn')}
            inputWrapperOrder={explained}
            placeholder={t('presets.limitHint')}
            disabled={locked}
            value={history.limit ?? ''}
            onChange={(event) => keep({ limit: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            label={t('presets.compression')}
            description={t('presets.passedOn')}
            inputWrapperOrder={explained}
            disabled={locked}
            value={history.compressionStrategy ?? ''}
            onChange={(event) => keep({ compressionStrategy: event.currentTarget.value })}
          />
        </div>
      )}
      {!computed && (
        <Sending
          policy={policy}
          fields={fields}
          locked={locked}
          onChange={(sendPolicy) => change({ sendPolicy }, 'sending')}
        />
      )}
    </div>
  )
}

const fieldsOf = ({ model }: Editor, row: Row) =>
  Object.keys(childrenOf(nodeAt(model, row.keys) ?? {}))

type SendingProps = {
  policy: Policy | undefined
  fields: readonly string[]
  locked: boolean
  onChange: (policy: Policy) => void
}

/** Values that are sent in different ways get one way only when the person wants that. */
function Sending({ policy, fields, locked, onChange }: SendingProps) {
  const t = useWords()
  if (policy) return <PolicyForm {...{ policy, fields, locked, onChange }} />
  return (
    <div className={classes.stack}>
      <p className={classes.dim}>{t('presets.policiesDiffer')}</p>
      <Button
        size="compact-xs"
        variant="default"
        disabled={locked}
        onClick={() => onChange(usualPolicy)}
      >
        {t('presets.samePolicy')}
      </Button>
    </div>
  )
}
