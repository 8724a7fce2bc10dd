import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl, Select } from '@mantine/core'
import { classes } from './editor-classes.ts'
import { LengthEntry } from './LengthEntry.tsx'
import { MatcherEntry } from './MatcherEntry.tsx'
import type { SinglePart } from './policy-tree.ts'
import { fieldId, useEditedTrigger } from './trigger-context.ts'
import { withPartType } from './trigger-draft.ts'
import { ChoiceEntry, NumberEntry, TickEntry } from './TriggerFields.tsx'

const types = ['ANALOG_BAND', 'ON_LEVEL', 'ON_CHANGED', 'PASSTHROUGH', 'CONNECTION'] as const

type Props<Part = SinglePart> = { part: Part; place: string }
type PartOf<Type extends SinglePart['type']> = Extract<SinglePart, { type: Type }>

/** Fields of a condition: its kind, and what that kind asks for. */
export function PartFields({ part, place }: Props) {
  const t = useWords()
  const { set, locked, faultOf } = useEditedTrigger()
  const fault = faultOf(place)
  return (
    <div className={classes.partFields}>
      {fault !== undefined && <p className={`${classes.fault} ${classes.wide}`}>{fault}</p>}
      <Select
        id={fieldId(`${place}.type`)}
        label={t('trigger-editor.when')}
        allowDeselect={false}
        disabled={locked}
        error={faultOf(`${place}.type`)}
        data={types.map((type) => ({ value: type, label: t(`trigger-editor.type.${type}`) }))}
        value={part.type}
        onChange={(next) => {
          const type = types.find((one) => one === next)
          if (type !== undefined) set(place, withPartType(part, type))
        }}
      />
      {part.type !== 'CONNECTION' && (
        <div className={classes.wide}>
          <MatcherEntry
            place={`${place}.modelPathMatcher`}
            label={t('trigger-editor.path')}
            help={t('trigger-editor.pathHelp')}
          />
        </div>
      )}
      {part.type === 'ANALOG_BAND' && <BandFields part={part} place={place} />}
      {part.type === 'ON_LEVEL' && <ReachFields part={part} place={place} />}
      {part.type === 'ON_CHANGED' && <ChangeFields part={part} place={place} />}
      {part.type === 'CONNECTION' && <ConnectionFields part={part} place={place} />}
    </div>
  )
}

function BandFields({ part, place }: Props<PartOf<'ANALOG_BAND'>>) {
  const t = useWords()
  const { set, locked } = useEditedTrigger()
  return (
    <>
      <div className={classes.wide}>
        <SegmentedControl
          size="xs"
          id={fieldId(`${place}.inside`)}
          disabled={locked}
          aria-label={t('trigger-editor.band')}
          data={[
            { value: 'in', label: t('trigger-editor.inside') },
            { value: 'out', label: t('trigger-editor.outside') },
          ]}
          value={part.inside ? 'in' : 'out'}
          onChange={(next) => set(`${place}.inside`, next === 'in')}
        />
      </div>
      <LimitFields place={place} />
      <LengthEntry place={`${place}.time`} label={t('trigger-editor.holds')} />
    </>
  )
}

/** Both limits of a band, and whether each belongs to it. */
function LimitFields({ place }: { place: string }) {
  const t = useWords()
  return (
    <>
      <div className={classes.limit}>
        <NumberEntry place={`${place}.min`} label={t('trigger-editor.min')} />
        <TickEntry place={`${place}.minOrEqual`} label={t('trigger-editor.minOrEqual')} />
      </div>
      <div className={classes.limit}>
        <NumberEntry place={`${place}.max`} label={t('trigger-editor.max')} />
        <TickEntry place={`${place}.maxOrEqual`} label={t('trigger-editor.maxOrEqual')} />
      </div>
    </>
  )
}

const levelKinds = ['number', 'switch', 'band'] as const
type LevelKind = (typeof levelKinds)[number]

function levelKindOf({ levelBool, min, max }: PartOf<'ON_LEVEL'>): LevelKind {
  if (levelBool !== undefined) return 'switch'
  return min === undefined && max === undefined ? 'number' : 'band'
}

/** Part that looks at another kind of level. */
function withLevelKind(part: PartOf<'ON_LEVEL'>, kind: LevelKind): PartOf<'ON_LEVEL'> {
  const { level, levelBool: _, min: __, max: ___, ...others } = part
  if (kind === 'switch') return { ...others, levelBool: true }
  if (kind === 'band') return { ...others, min: level ?? 0 }
  return { ...others, ...(level !== undefined && { level }) }
}

function ReachFields({ part, place }: Props<PartOf<'ON_LEVEL'>>) {
  const t = useWords()
  const { set, locked } = useEditedTrigger()
  const kind = levelKindOf(part)
  return (
    <>
      <Select
        label={t('trigger-editor.levelKind')}
        allowDeselect={false}
        disabled={locked}
        data={levelKinds.map((one) => ({ value: one, label: t(`trigger-editor.level.${one}`) }))}
        value={kind}
        onChange={(next) => {
          const chosen = levelKinds.find((one) => one === next)
          if (chosen !== undefined) set(place, withLevelKind(part, chosen))
        }}
      />
      <ChoiceEntry
        place={`${place}.mode`}
        label={t('trigger-editor.mode')}
        options={(['ON_ENTER', 'ON_EXIT'] as const).map((value) => ({
          value,
          label: t(`trigger-editor.modeOf.${kind === 'switch' ? 'switch' : 'level'}.${value}`),
        }))}
      />
      {kind === 'number' && (
        <NumberEntry place={`${place}.level`} label={t('trigger-editor.levelNumber')} />
      )}
      {kind === 'band' && <LimitFields place={place} />}
      <NumberEntry
        place={`${place}.skipFirstChanges`}
        label={t('trigger-editor.skip')}
        least={0}
        whole
        always
      />
      <LengthEntry place={`${place}.time`} label={t('trigger-editor.holds')} />
    </>
  )
}

function ChangeFields({ part, place }: Props<PartOf<'ON_CHANGED'>>) {
  const t = useWords()
  const { set, locked } = useEditedTrigger()
  return (
    <>
      <ChoiceEntry
        place={`${place}.changeMask`}
        label={t('trigger-editor.change')}
        options={(['VALUE_CHANGED', 'TIMESTAMP_CHANGED'] as const).map((value) => ({
          value,
          label: t(`trigger-editor.changeOf.${value}`),
        }))}
      />
      {part.changeMask === 'VALUE_CHANGED' && (
        <div className={classes.length}>
          <NumberEntry
            place={`${place}.deadband`}
            label={t('trigger-editor.deadband')}
            least={0}
            always
          />
          <Select
            aria-label={t('trigger-editor.deadbandUnit')}
            allowDeselect={false}
            disabled={locked}
            data={[
              { value: 'value', label: t('trigger-editor.asValue') },
              { value: 'percent', label: '%' },
            ]}
            value={part.isPercentage ? 'percent' : 'value'}
            onChange={(next) => set(`${place}.isPercentage`, next === 'percent')}
          />
        </div>
      )}
      <NumberEntry
        place={`${place}.skipFirstNChanges`}
        label={t('trigger-editor.skip')}
        least={0}
        whole
        always
      />
    </>
  )
}

function ConnectionFields({ part, place }: Props<PartOf<'CONNECTION'>>) {
  const t = useWords()
  return (
    <>
      <ChoiceEntry
        place={`${place}.source`}
        label={t('trigger-editor.source')}
        options={(['IOT', 'VPN'] as const).map((value) => ({
          value,
          label: t(`trigger-editor.sourceOf.${value}`),
        }))}
      />
      {part.source === 'VPN' && <ErrorPanel tone="warning" message={t('trigger-trial.noVpn')} />}
      <ChoiceEntry
        place={`${place}.status`}
        label={t('trigger-editor.status')}
        options={(['OFF', 'ON'] as const).map((value) => ({
          value,
          label: t(`trigger-editor.statusOf.${value}`),
        }))}
      />
      <LengthEntry place={`${place}.time`} label={t('trigger-editor.holds')} />
    </>
  )
}
