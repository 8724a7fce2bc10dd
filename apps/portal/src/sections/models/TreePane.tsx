import { actionProps } from '@longreach/ui/action-props'
import { late } from '@longreach/ui/late'
import { EmptyState } from '@longreach/ui/EmptyState'
import { Hint } from '@longreach/ui/Hint'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopyPlus,
  IconPlus,
  IconStack2,
  IconTrash,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useFeature } from '../../parts/session/features.ts'
import { ModelTree } from '../../parts/models/ModelTree.tsx'
import {
  childrenOf,
  itemName,
  type ModelNode,
  type NodeId,
  type TreeRow,
} from '../../parts/models/model-tree-rules.ts'
import shared from './models.module.css'
import classes from './TreePane.module.css'
import type { ModelEditing } from './use-model-editor.ts'
import type { TreeActions } from './use-tree-actions.ts'

const InstancesDialog = late(() => import('./InstancesDialog.tsx'), 'InstancesDialog')

type Props = {
  editing: ModelEditing
  actions: TreeActions
  locked: boolean
  name: string
  faults: ReadonlyMap<NodeId, string>
}

/** The tree with what can be done to it. */
export function TreePane({ editing, actions, locked, name, faults }: Props) {
  const t = useWords()
  return (
    <section className={shared.pane} aria-label={t('models.tab.tree')}>
      <div className={classes.tools}>
        {!locked && <Tools editing={editing} actions={actions} />}
        <SearchField
          wide
          className={classes.filter}
          label={t('models.findPath')}
          text={editing.filter}
          onText={editing.setFilter}
        />
      </div>
      {editing.rows.length === 0 ? (
        <p className={shared.dim}>{t('models.noPathFound')}</p>
      ) : (
        <ModelTree
          label={t('models.treeOf', { name: name === '' ? t('models.model') : name })}
          rows={editing.rows}
          chosen={new Set(editing.chosen)}
          active={editing.active}
          faults={faults}
          onChoose={editing.choose}
          onToggle={editing.toggle}
          onOpen={() => actions.toName()}
          renderName={(row) => <RowName row={row} root={name} />}
          renderBeside={(row) => <RowFacts row={row} />}
          {...(!locked && actions.tree)}
        />
      )}
      {!locked && isEmpty(editing.root) && (
        <div className={shared.invite}>
          <EmptyState
            kind="nothing"
            title={t('models.noValues')}
            text={t('models.noValuesText')}
            action={
              <Button variant="default" onClick={() => actions.add('double')}>
                {t('models.addFirst')}
              </Button>
            }
          />
        </div>
      )}
      {!locked && <p className={classes.keys}>{t('models.keys')}</p>}
    </section>
  )
}

const isEmpty = (root: ModelNode) => childrenOf(root).length === 0

function RowName({ row, root }: { row: TreeRow; root: string }) {
  const t = useWords()
  const label = row.id !== '' && typeof row.node['label'] === 'string' ? row.node['label'] : ''
  const name = row.name === itemName ? t('models.item') : row.name
  return (
    <>
      {row.id === '' ? root || t('models.model') : name}
      {label !== '' && <span className={classes.rowLabel}>{label}</span>}
    </>
  )
}

function RowFacts({ row: { node, kind } }: { row: TreeRow }) {
  const { unit, type, length } = node
  return (
    <>
      {typeof unit === 'string' && unit !== '' && <span className={classes.unit}>{unit}</span>}
      <span className={classes.type}>
        {kind === 'array' ? `${String(type)} ${String(length)}` : String(type)}
      </span>
    </>
  )
}

function Tools({ editing, actions }: Pick<Props, 'editing' | 'actions'>) {
  const t = useWords()
  const nothing = editing.chosen.every((id) => !actions.isMovable(id))
  const [adding, setAdding] = useState(false)
  const several = editing.chosen.length !== 1 || nothing
  return (
    <>
      <AddMenu onAdd={actions.add} />
      <Tool label={t('models.duplicate')} off={nothing} onClick={actions.duplicate}>
        <IconCopyPlus size={16} stroke={1.6} />
      </Tool>
      <Tool label={t('models.instances')} off={several} onClick={() => setAdding(true)}>
        <IconStack2 size={16} stroke={1.6} />
      </Tool>
      <Tool label={t('models.remove')} off={nothing} onClick={actions.remove}>
        <IconTrash size={16} stroke={1.6} />
      </Tool>
      <Tool label={t('models.undo')} off={!editing.canUndo} onClick={editing.undo}>
        <IconArrowBackUp size={16} stroke={1.6} />
      </Tool>
      <Tool label={t('models.redo')} off={!editing.canRedo} onClick={editing.redo}>
        <IconArrowForwardUp size={16} stroke={1.6} />
      </Tool>
      {adding && (
        <InstancesDialog
          root={editing.root}
          id={editing.active}
          onAdd={(count) => {
            actions.addInstances(count)
            setAdding(false)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

type ToolProps = { label: string; off: boolean; onClick: () => void; children: ReactNode }

function Tool({ label, off, onClick, children }: ToolProps) {
  return (
    <Hint text={label}>
      <ActionIcon
        variant="default"
        size="input-xs"
        aria-label={label}
        {...actionProps(off, onClick)}
      >
        {children}
      </ActionIcon>
    </Hint>
  )
}

function AddMenu({ onAdd }: { onAdd: (type: string) => void }) {
  const t = useWords()
  const structs = useFeature('structs')
  const kinds = ['double', 'object', 'array', ...(structs ? (['struct'] as const) : [])] as const
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="xs" leftSection={<IconPlus size={15} stroke={1.8} />}>
          {t('models.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((type) => (
          <Menu.Item key={type} onClick={() => onAdd(type)}>
            {t(`models.add.${type}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
