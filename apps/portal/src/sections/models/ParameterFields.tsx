import { mostParameters, Parameter, parametersOf } from '@longreach/mappings/parameters-contract'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { freeName } from './model-tree-edits.ts'
import { argumentsOf, setList } from './model-tree-parameters.ts'
import { kindOf, type ModelNode } from '../../parts/models/model-tree-rules.ts'
import shared from './models.module.css'
import classes from './ParameterFields.module.css'
import type { ModelEditing } from './use-model-editor.ts'

type Props = { editing: ModelEditing; node: ModelNode }

/** The parameters of an object, and inside of another model the values that it gets there. */
export function ParameterFields({ editing, node }: Props) {
  const kind = kindOf(node)
  if (kind !== 'object' && kind !== 'struct') return null
  return (
    <>
      {editing.chosen[0] !== '' && <Arguments editing={editing} node={node} />}
      <Declared editing={editing} node={node} />
    </>
  )
}

function Arguments({ editing, node }: Props) {
  const t = useWords()
  const [id = ''] = editing.chosen
  const given = argumentsOf(node)
  const set = (name: string, value: unknown) => {
    const { [name]: _before, ...others } = given
    const next = value === '' ? others : { ...others, [name]: value }
    editing.change(setList(editing.root, id, 'arguments', next), `arguments ${name} ${id}`)
  }
  const declared = parametersOf(node)
  if (declared.length === 0) return null
  return (
    <fieldset className={classes.parameters}>
      <legend>{t('models.argumentsHere')}</legend>
      {declared.map(({ name, type, label, default: standard }) => (
        <TextInput
          key={name}
          label={label ?? name}
          inputMode={type === 'number' ? 'decimal' : 'text'}
          placeholder={standard === undefined ? '' : String(standard)}
          value={defaultText(given[name])}
          onChange={(event) => set(name, valueOf(type, event.currentTarget.value))}
        />
      ))}
    </fieldset>
  )
}

function Declared({ editing, node }: Props) {
  const t = useWords()
  const [id = ''] = editing.chosen
  const { parameters } = node
  const rows: unknown[] = Array.isArray(parameters) ? parameters : []
  const declared = rows.map((one): Parameter => ({ name: '', type: 'text', ...(one as object) }))
  const keep = (next: readonly Parameter[], mark: string) =>
    editing.change(setList(editing.root, id, 'parameters', next), `parameters ${mark} ${id}`)
  const set = (index: number, change: Partial<Parameter>) =>
    keep(
      declared.map((one, at) => (at === index ? withoutEmptyDefault({ ...one, ...change }) : one)),
      `${index}`,
    )
  const add = () => {
    const name = freeName(
      declared.map((one) => one.name),
      'parameter',
    )
    keep([...declared, { name, type: 'text' }], 'add')
  }
  return (
    <fieldset className={classes.parameters}>
      <legend>{t('models.parameters')}</legend>
      {declared.length === 0 && <p className={shared.dim}>{t('models.parametersHelp')}</p>}
      {declared.map((one, index) => (
        // A row is known by its place: its name is what is typed.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.parameter}>
          <TextInput
            aria-label={t('models.parameterName')}
            placeholder={t('models.parameterName')}
            value={one.name}
            error={!Parameter.shape.name.safeParse(one.name).success && t('problems.parameterName')}
            spellCheck={false}
            onChange={(event) => set(index, { name: event.currentTarget.value })}
          />
          <Select
            aria-label={t('models.parameterType')}
            data={(['text', 'number'] as const).map((value) => ({
              value,
              label: t(`models.parameterType.${value}`),
            }))}
            value={one.type}
            allowDeselect={false}
            onChange={(type) => {
              if (type === 'text' || type === 'number') set(index, { type, default: undefined })
            }}
          />
          <TextInput
            aria-label={t('models.parameterDefault')}
            placeholder={t('models.parameterDefault')}
            inputMode={one.type === 'number' ? 'decimal' : 'text'}
            value={defaultText(one.default)}
            onChange={(event) =>
              set(index, { default: valueOf(one.type, event.currentTarget.value) })
            }
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('models.parameterRemove', { name: one.name })}
            onClick={() => keep(declared.toSpliced(index, 1), 'remove')}
          >
            <IconTrash size={16} stroke={1.6} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.8} />}
        disabled={declared.length >= mostParameters}
        onClick={add}
      >
        {t('models.parameterAdd')}
      </Button>
    </fieldset>
  )
}

/** A number where one is meant and typed whole; until then the text as it is typed. */
function valueOf(type: Parameter['type'], text: string) {
  const number = Number(text.replace(',', '.'))
  const isWhole = text.trim() !== '' && Number.isFinite(number) && !/[.,]$|[.,]\d*0$/.test(text)
  return type === 'number' && isWhole ? number : text
}

const defaultText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const withoutEmptyDefault = ({ default: standard, ...one }: Parameter): Parameter =>
  standard === undefined || standard === '' ? one : { ...one, default: standard }
