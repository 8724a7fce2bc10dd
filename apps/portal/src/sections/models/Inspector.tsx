import { CopyText } from '@longreach/ui/CopyText'
import { useWords } from '@longreach/ui/use-words'
import type { Parameter } from '@longreach/mappings/parameters-contract'
import {
  Autocomplete,
  Checkbox,
  NumberInput,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useFeature } from '../../parts/session/features.ts'
import { setWritten, usableParameters, usesParameters, writtenAs } from './model-tree-parameters.ts'
import {
  childrenOf,
  datatypes,
  isName,
  kindOf,
  type ModelNode,
  modelPathOf,
  nameOf,
  nodeAt,
  type NodeId,
  parentOf,
} from '../../parts/models/model-tree-rules.ts'
import { changeAt, isMovable, isNumeric, rename, retyped, setKeys } from './model-tree-edits.ts'
import shared from './models.module.css'
import classes from './Inspector.module.css'
import { ParameterFields } from './ParameterFields.tsx'
import { units } from './units.ts'
import type { ModelEditing } from './use-model-editor.ts'

type Props = {
  editing: ModelEditing
  locked: boolean
  /** Counts up when the name should be typed. */
  named: number
  problems: readonly string[]
}

/** Words and limits of what is chosen; of several at once, what is typed goes to all of them. */
export function Inspector({ editing, locked, named, problems }: Props) {
  const t = useWords()
  const { root, chosen } = editing
  const only = chosen.length === 1 ? chosen[0] : undefined
  const path = only === undefined ? '' : modelPathOf(only)
  const title =
    only === undefined
      ? t('models.chosenCount', { count: chosen.length })
      : only === ''
        ? t('models.model')
        : nameOf(only)
  return (
    <aside className={classes.inspector} aria-label={t('models.properties')}>
      <div className={classes.inspectorHead}>
        <h2 className={classes.inspectorTitle}>{title}</h2>
        {path !== '' && <CopyText text={path} label={t('models.path')} />}
      </div>
      {problems.length > 0 && (
        <ul className={shared.problems}>
          {problems.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      <fieldset disabled={locked} className={classes.fields}>
        {only !== undefined && isMovable(only) && (
          <NameField key={`name ${only}`} id={only} editing={editing} named={named} />
        )}
        <Fields
          key={`fields ${chosen.join(' ')}`}
          editing={editing}
          nodes={nodesAt(root, chosen)}
        />
      </fieldset>
    </aside>
  )
}

const nodesAt = (root: ModelNode, ids: readonly NodeId[]) =>
  ids.flatMap((id) => {
    const node = nodeAt(root, id)
    return node ? [node] : []
  })

function NameField({ id, editing, named }: { id: NodeId; editing: ModelEditing; named: number }) {
  const t = useWords()
  const [text, setText] = useState(nameOf(id))
  const field = useRef<HTMLInputElement>(null)
  const first = useRef(named)
  useEffect(() => {
    if (named === first.current && named === 0) return
    field.current?.focus()
    field.current?.select()
  }, [named])
  const siblings = childrenOf(nodeAt(editing.root, parentOf(id)) ?? {}).map(([name]) => name)
  const error = errorOf(text, nameOf(id), siblings)
  const keep = () => {
    if (error === undefined && text !== nameOf(id)) editing.edit(rename(editing.root, id, text))
  }
  return (
    <TextInput
      ref={field}
      label={t('models.name')}
      value={text}
      error={error && t(error)}
      spellCheck={false}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep()
        if (event.key === 'Escape') setText(nameOf(id))
      }}
    />
  )
}

function errorOf(text: string, name: string, siblings: readonly string[]) {
  if (!isName(text)) return 'problems.name'
  return text !== name && siblings.includes(text) ? 'models.nameTaken' : undefined
}

/** The value that all have; undefined when they differ or have none. */
function common(nodes: readonly ModelNode[], key: string) {
  const texts = new Set(nodes.map((node) => JSON.stringify(writtenAs(node, key) ?? null)))
  return texts.size === 1 && nodes[0] ? writtenAs(nodes[0], key) : undefined
}
const differs = (nodes: readonly ModelNode[], key: string) =>
  new Set(nodes.map((node) => JSON.stringify(writtenAs(node, key) ?? null))).size > 1

const asText = (value: unknown) => (typeof value === 'string' ? value : '')

function Fields({ editing, nodes }: { editing: ModelEditing; nodes: readonly ModelNode[] }) {
  const t = useWords()
  const { root, chosen, change } = editing
  const set = (key: string, value: unknown) =>
    change(setKeys(root, chosen, { [key]: value }), `${key} ${chosen.join(' ')}`)
  const write = (key: string, value: unknown) =>
    change(setWritten(root, chosen, { key, value }), `${key} ${chosen.join(' ')}`)
  const usable = usableParameters(root, chosen[0] ?? '')
  const textOf = (key: 'label' | 'unit' | 'description' | 'version') => ({
    label: t(`models.${key}`),
    value: asText(common(nodes, key)),
    ...(differs(nodes, key) && { placeholder: t('models.mixed') }),
  })
  const leaves = nodes.every((node) => kindOf(node) === 'leaf')
  const numbers = nodes.every(({ type }) => isNumeric(type))
  const tags = common(nodes, 'tags')
  const isRoot = chosen.includes('')
  const names = usable.map(({ name }) => `{${name}}`).join(', ')
  return (
    <>
      {!isRoot && <TypeField editing={editing} nodes={nodes} />}
      {usable.length > 0 && <p className={shared.dim}>{t('models.parametersUsable', { names })}</p>}
      <TextInput
        {...textOf('label')}
        onChange={(event) => write('label', event.currentTarget.value)}
      />
      {leaves && (
        <Autocomplete
          {...textOf('unit')}
          data={units}
          limit={8}
          onChange={(unit) => write('unit', unit)}
        />
      )}
      {numbers && (
        <div className={shared.pair}>
          <Limit name="min" nodes={nodes} usable={usable} onChange={write} />
          <Limit name="max" nodes={nodes} usable={usable} onChange={write} />
        </div>
      )}
      <Textarea
        {...textOf('description')}
        autosize
        minRows={2}
        maxRows={8}
        onChange={(event) => write('description', event.currentTarget.value)}
      />
      <TagsInput
        label={t('models.tags')}
        value={Array.isArray(tags) ? tags.map(String) : []}
        {...(differs(nodes, 'tags') && { placeholder: t('models.mixed') })}
        onChange={(next) => set('tags', next)}
      />
      {!isRoot && (
        <Checkbox
          label={t('models.deprecated')}
          checked={common(nodes, 'deprecated') === true}
          indeterminate={differs(nodes, 'deprecated')}
          onChange={(event) => set('deprecated', event.currentTarget.checked || undefined)}
        />
      )}
      {!isRoot && (
        <TextInput
          {...textOf('version')}
          onChange={(event) => set('version', event.currentTarget.value)}
        />
      )}
      {nodes.length === 1 && nodes[0] && <ParameterFields editing={editing} node={nodes[0]} />}
    </>
  )
}

type LimitProps = {
  name: 'min' | 'max'
  nodes: readonly ModelNode[]
  usable: readonly Parameter[]
  onChange: (key: string, value: unknown) => void
}

function Limit({ name, nodes, usable, onChange }: LimitProps) {
  const t = useWords()
  const value = common(nodes, name)
  const kept = typeof value === 'number' || typeof value === 'string' ? value : undefined
  const [text, setText] = useState('')
  const limitIn = (written: string) =>
    usesParameters(written, usable) ? written.trim() : numberIn(written)
  const typed = limitIn(text)
  // What is typed stays as it is typed, also while it is no number; undo and others change it too.
  const shown = typed === kept || Number.isNaN(typed) ? text : String(kept ?? '')
  return (
    <TextInput
      label={t(`models.${name}`)}
      inputMode="decimal"
      value={shown}
      error={Number.isNaN(typed) && t('problems.number')}
      {...(differs(nodes, name) && { placeholder: t('models.mixed') })}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        if (!Number.isNaN(limitIn(next))) onChange(name, limitIn(next))
      }}
    />
  )
}

/** A number with a comma or a dot; undefined for nothing, NaN for what is none. */
function numberIn(text: string) {
  if (text.trim() === '') return undefined
  const number = Number(text.trim().replace(',', '.'))
  return Number.isFinite(number) ? number : Number.NaN
}

function TypeField({ editing, nodes }: { editing: ModelEditing; nodes: readonly ModelNode[] }) {
  const t = useWords()
  const { root, chosen, change } = editing
  const structs = useFeature('structs')
  const inStruct = chosen.some((id) => kindOf(nodeAt(root, parentOf(id)) ?? {}) === 'struct')
  const type = asText(common(nodes, 'type'))
  const holders = ['object', 'array', ...(structs || type === 'struct' ? ['struct'] : [])]
  const length = common(nodes, 'length')
  const all = (next: (node: ModelNode) => ModelNode) =>
    chosen.reduce((tree, id) => changeAt(tree, id, next), root)
  return (
    <>
      <Select
        label={t('models.type')}
        data={[...datatypes, ...(inStruct ? [] : holders)]}
        value={type === '' ? null : type}
        allowDeselect={false}
        {...(differs(nodes, 'type') && { placeholder: t('models.mixed') })}
        onChange={(next) => next !== null && change(all((node) => retyped(node, next)))}
      />
      {type === 'array' && (
        <NumberInput
          label={t('models.length')}
          min={1}
          max={10_000}
          allowDecimal={false}
          value={typeof length === 'number' ? length : ''}
          onChange={(next) => change(setKeys(root, chosen, { length: next }), 'length')}
        />
      )}
    </>
  )
}
