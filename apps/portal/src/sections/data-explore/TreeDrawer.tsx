import { useWords } from '@longreach/ui/use-words'
import { Drawer } from '@mantine/core'
import classes from './TreeDrawer.module.css'
import type { Line } from './explore-url.ts'
import { ValueTree } from './ValueTree.tsx'

type Props = {
  lines: readonly Line[]
  onChoose: (device: string, path: string) => void
  onClose: () => void
}

/** Drawer with the tree of values, where the page is too narrow for a column of it. */
export function TreeDrawer({ onClose, ...tree }: Props) {
  const t = useWords()
  return (
    <Drawer
      opened
      onClose={onClose}
      size="100%"
      title={t('data-explore.tree')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <div className={classes.drawer}>
        <ValueTree {...tree} />
      </div>
    </Drawer>
  )
}
