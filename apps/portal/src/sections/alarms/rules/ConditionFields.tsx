import type { Condition, Leaf } from '@longreach/rules/rule'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Menu, SegmentedControl } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { DurationField } from './DurationField.tsx'
import { LimitField } from './LimitField.tsx'
import { useEditing } from './rule-context.ts'
import { withAt } from '../../../parts/forms/draft-places.ts'
import {
  groupOf,
  hasLevelLimits,
  mayClear,
  partPlace,
  withKind,
  withoutPart,
  withPart,
} from './rule-draft.ts'
import { PlaceFault } from './PlaceFault.tsx'
import { OperatorField, PathField, TextField } from './RuleField.tsx'
import { classes } from './rule-classes.ts'

type Props = {
  place: string
  condition: Condition
  /** Takes it out of its group; absent: it is the whole condition. */
  onRemove?: () => void
}

/** Condition as fields: a comparison, or a group of conditions. */
export function ConditionFields({ place, condition, onRemove }: Props) {
  const t = useWords()
  const { edit, locked } = useEditing()
  const change = (next: Condition) => edit((before) => withAt(before, place, next))
  const group = groupOf(condition)
  if (group === undefined) {
    return (
      <>
        <PlaceFault place={place} />
        <LeafFields place={place} leaf={condition as Leaf} change={change} onRemove={onRemove} />
        {onRemove === undefined && (
          <AddPartButton locked={locked} onClick={() => change(withPart(condition))} />
        )}
      </>
    )
  }
  const { kind, parts } = group
  return (
    <fieldset className={classes.group}>
      <legend className={classes.hidden}>{t(`alarm-rules.group.${kind}`)}</legend>
      <div className={classes.groupHead}>
        {kind === 'not' ? (
          <b>{t('alarm-rules.group.not')}</b>
        ) : (
          <SegmentedControl
            size="xs"
            disabled={locked}
            aria-label={t('alarm-rules.groupKind')}
            data={(['all', 'any'] as const).map((one) => ({
              value: one,
              label: t(`alarm-rules.group.${one}`),
            }))}
            value={kind}
            onChange={(next) => change(withKind(condition, next === 'any' ? 'any' : 'all'))}
          />
        )}
        <PartMenu condition={condition} change={change} onRemove={onRemove} />
      </div>
      <PlaceFault place={place} />
      {parts.map((part, index) => (
        <ConditionFields
          // A part has no other name than its place.
          key={partPlace(place, kind, index)}
          place={partPlace(place, kind, index)}
          condition={part}
          onRemove={() => change(withoutPart(condition, index))}
        />
      ))}
      {kind !== 'not' && (
        <AddPartButton locked={locked} onClick={() => change(withPart(condition))} />
      )}
    </fieldset>
  )
}

function AddPartButton({ locked, onClick }: { locked: boolean; onClick: () => void }) {
  const t = useWords()
  if (locked) return null
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={14} stroke={2} />}
      onClick={onClick}
      className={classes.add}
    >
      {t('alarm-rules.addPart')}
    </Button>
  )
}

type LeafProps = {
  place: string
  leaf: Leaf
  change: (next: Condition) => void
  onRemove: (() => void) | undefined
}

/** Fields of a comparison. */
function LeafFields({ place, leaf, change, onRemove }: LeafProps) {
  const t = useWords()
  const { rule } = useEditing()
  const atLevels = place === 'when' && hasLevelLimits(rule)
  return (
    <div className={classes.leaf}>
      <div className={classes.leafFields}>
        <div className={classes.whole}>
          {leaf.formula === undefined ? (
            <PathField place={`${place}.path`} label={t('alarm-rules.path')} />
          ) : (
            <TextField
              place={`${place}.formula`}
              label={t('alarm-rules.formula')}
              maxLength={10_000}
            />
          )}
        </div>
        <OperatorField place={place} label={t('alarm-rules.operator')} />
        {leaf.op !== 'changed' &&
          !atLevels &&
          (leaf.otherPath === undefined ? (
            <LimitField place={`${place}.value`} label={t('alarm-rules.limit')} />
          ) : (
            <PathField place={`${place}.otherPath`} label={t('alarm-rules.otherPath')} />
          ))}
        {mayClear(leaf) && !atLevels && (
          <LimitField place={`${place}.clear`} label={t('alarm-rules.clear')} />
        )}
        {(place !== 'when' || leaf.op === 'changed') && (
          <DurationField place={`${place}.forMs`} label={t('alarm-rules.holdsFor')} />
        )}
      </div>
      <PartMenu condition={leaf} change={change} onRemove={onRemove} />
    </div>
  )
}

type MenuProps = {
  condition: Condition
  change: (next: Condition) => void
  onRemove: (() => void) | undefined
}

/** Ways to change the shape of a condition. */
function PartMenu({ condition, change, onRemove }: MenuProps) {
  const t = useWords()
  const { locked } = useEditing()
  if (locked) return null
  const leaf = groupOf(condition) === undefined ? (condition as Leaf) : undefined // no group: a comparison
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('alarm-rules.more')}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {leaf && leaf.formula === undefined && (
          <Menu.Item onClick={() => change(withFormula(leaf))}>
            {t('alarm-rules.useFormula')}
          </Menu.Item>
        )}
        {leaf?.formula !== undefined && (
          <Menu.Item onClick={() => change(withPath(leaf))}>{t('alarm-rules.usePath')}</Menu.Item>
        )}
        {leaf && leaf.op !== 'changed' && (
          <Menu.Item onClick={() => change(withOther(leaf))}>
            {t(leaf.otherPath === undefined ? 'alarm-rules.useOther' : 'alarm-rules.useLimit')}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => change({ any: [condition] })}>{t('alarm-rules.wrap')}</Menu.Item>
        <Menu.Item onClick={() => change({ not: condition })}>{t('alarm-rules.negate')}</Menu.Item>
        {onRemove && (
          <Menu.Item color="red" onClick={onRemove}>
            {t('alarm-rules.removePart')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function withFormula(leaf: Leaf): Leaf {
  const { path: _, ...others } = leaf
  return { ...others, formula: '' }
}

function withPath(leaf: Leaf): Leaf {
  const { formula: _, ...others } = leaf
  return { ...others, path: '' }
}

/** Comparison with another path in place of a limit, or the other way. */
function withOther(leaf: Leaf): Leaf {
  const { value: _, otherPath, clear: __, ...others } = leaf
  return otherPath === undefined ? { ...others, otherPath: '' } : others
}
