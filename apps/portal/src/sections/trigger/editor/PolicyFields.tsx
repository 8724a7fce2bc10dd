import { actionProps } from '@longreach/ui/action-props'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Menu, SegmentedControl } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconPlus } from '@tabler/icons-react'
import type { Policy } from '@longreach/rules/policy'
import { classes } from './editor-classes.ts'
import { PartFields } from './PartFields.tsx'
import {
  isPolicyGroup,
  type PartPath,
  type PolicyGroup,
  placeOfPart,
  withAdded,
  withMoved,
  withoutGroup,
  withoutPartAt,
  withWrapped,
} from './policy-tree.ts'
import { fieldId, useEditedTrigger } from './trigger-context.ts'
import { newPart } from './trigger-draft.ts'

type Props = { policy: Policy; path: PartPath }

/** Part of a policy as fields: a condition, or a group of parts. */
export function PolicyFields({ policy, path }: Props) {
  const t = useWords()
  const { edit } = useEditedTrigger()
  const number = partNumber(path)
  if (isPolicyGroup(policy)) return <GroupFields policy={policy} path={path} />
  return (
    <>
      <fieldset className={classes.part}>
        <legend className={classes.legend}>
          {path.length === 0
            ? t('trigger-editor.onlyCondition')
            : t('trigger-editor.condition', { number })}
        </legend>
        <PartFields part={policy} place={placeOfPart(path)} />
        <PartButtons policy={policy} path={path} />
      </fieldset>
      {path.length === 0 && (
        <AddButtons
          onAdd={(part) =>
            edit((draft) => ({ ...draft, policy: withAdded(draft.policy, path, part) }))
          }
        />
      )}
    </>
  )
}

/** Number of a part in the order of reading, level by level: `2.1`. */
const partNumber = (path: PartPath) => path.map((index) => index + 1).join('.')

function GroupFields({ policy, path }: { policy: PolicyGroup; path: PartPath }) {
  const t = useWords()
  const { edit, set, locked, faultOf } = useEditedTrigger()
  const place = placeOfPart(path)
  const fault = faultOf(place) ?? faultOf(`${place}.innerPolicies`)
  return (
    <fieldset className={classes.group} data-kind={policy.type}>
      <legend className={classes.hidden}>
        {path.length === 0
          ? t('trigger-editor.conditions')
          : t('trigger-editor.group', { number: partNumber(path) })}
      </legend>
      <div className={classes.groupHead}>
        <SegmentedControl
          size="xs"
          id={fieldId(`${place}.type`)}
          disabled={locked}
          aria-label={t('trigger-editor.groupKind')}
          data={(['AND_OPERATOR', 'OR_OPERATOR'] as const).map((type) => ({
            value: type,
            label: t(`trigger-editor.kind.${type}`),
          }))}
          value={policy.type}
          onChange={(next) => set(`${place}.type`, next)}
        />
        <PartButtons policy={policy} path={path} />
      </div>
      {fault !== undefined && <p className={classes.fault}>{fault}</p>}
      {policy.innerPolicies.map((part, index) => (
        <PolicyFields key={part.uuid} policy={part} path={[...path, index]} />
      ))}
      <AddButtons
        onAdd={(part) =>
          edit((draft) => ({ ...draft, policy: withAdded(draft.policy, path, part) }))
        }
      />
    </fieldset>
  )
}

function AddButtons({ onAdd }: { onAdd: (part: Policy) => void }) {
  const t = useWords()
  const { locked } = useEditedTrigger()
  if (locked) return null
  const icon = <IconPlus size={14} stroke={2} />
  return (
    <div className={classes.add}>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={icon}
        onClick={() => onAdd(newPart('ANALOG_BAND'))}
      >
        {t('trigger-editor.addCondition')}
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={icon}
        onClick={() =>
          onAdd({
            type: 'OR_OPERATOR',
            innerPolicies: [newPart('ANALOG_BAND'), newPart('ANALOG_BAND')],
            uuid: crypto.randomUUID(),
          })
        }
      >
        {t('trigger-editor.addGroup')}
      </Button>
    </div>
  )
}

const steps = [
  { step: -1, word: 'trigger-editor.moveUp', Icon: IconArrowUp },
  { step: 1, word: 'trigger-editor.moveDown', Icon: IconArrowDown },
] as const

/** Ways to move a part and to change its place; the root has only that into a group. */
function PartButtons({ policy, path }: Props) {
  const t = useWords()
  const { draft, edit, locked } = useEditedTrigger()
  if (locked) return null
  const number = partNumber(path)
  const change = (next: (root: Policy) => Policy) =>
    edit((before) => ({ ...before, policy: next(before.policy) }))
  return (
    <div className={classes.buttons}>
      {path.length > 0 &&
        steps.map(({ step, word, Icon }) => {
          const moved = withMoved(draft.policy, path, step)
          const id = `${fieldId(policy.uuid ?? '')}${step}`
          return (
            <ActionIcon
              key={step}
              id={id}
              variant="subtle"
              color="gray"
              aria-label={t(word, { number })}
              {...actionProps(moved === undefined, () => {
                if (moved) change(() => moved)
                // The part stands in another place of the page then; the focus goes with it.
                requestAnimationFrame(() => document.getElementById(id)?.focus())
              })}
            >
              <Icon size={16} stroke={1.7} />
            </ActionIcon>
          )
        })}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('trigger-editor.more', { number: number === '' ? '1' : number })}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => change((root) => withWrapped(root, path))}>
            {t('trigger-editor.wrap')}
          </Menu.Item>
          {isPolicyGroup(policy) && path.length > 0 && (
            <Menu.Item onClick={() => change((root) => withoutGroup(root, path))}>
              {t('trigger-editor.dissolve')}
            </Menu.Item>
          )}
          {path.length > 0 && (
            <Menu.Item color="red" onClick={() => change((root) => withoutPartAt(root, path))}>
              {t('trigger-editor.remove')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
