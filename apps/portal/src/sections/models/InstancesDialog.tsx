import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Group, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { instanceNames, mostInstances } from './model-tree-instances.ts'
import { type ModelNode, nameOf, type NodeId } from '../../parts/models/model-tree-rules.ts'
import classes from './models.module.css'

type Props = {
  root: ModelNode
  id: NodeId
  onAdd: (count: number) => void
  onClose: () => void
}

/** Dialog that asks how many further instances of a node to add, and shows their names. */
export function InstancesDialog({ root, id, onAdd, onClose }: Props) {
  const t = useWords()
  const [count, setCount] = useState(2)
  const names = instanceNames(root, id, count)
  const shown =
    names.length <= 4 ? names.join(', ') : `${names.slice(0, 2).join(', ')} … ${names.at(-1)}`
  return (
    <Dialog onClose={onClose} title={t('models.instancesOf', { name: nameOf(id) })}>
      <form
        className={classes.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (names.length > 0) onAdd(count)
        }}
      >
        <NumberInput
          label={t('models.instancesCount')}
          description={t('models.instancesHelp')}
          min={1}
          max={mostInstances}
          allowDecimal={false}
          data-autofocus
          value={count}
          onChange={(value) => setCount(Math.min(mostInstances, Math.max(0, Number(value))))}
        />
        <p className={classes.dim} role="status">
          {shown}
        </p>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" disabled={names.length === 0}>
            {t('models.instancesAdd', { count: names.length })}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
