import { EmptyState } from '@longreach/ui/EmptyState'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { isFiltered, type ListState } from '../../parts/devices/device-filters.ts'
import { useUnplaced } from './map-calls.ts'
import classes from './NothingPlaced.module.css'

/** Over an empty map: why it is empty, and how a device gets its place. */
export function NothingPlaced({ state, onTray }: { state: ListState; onTray: () => void }) {
  const t = useWords()
  const unplaced = useUnplaced(state) ?? 0
  const kind = isFiltered(state) ? 'filtered' : 'nothing'
  return (
    <div className={classes.nothing}>
      <EmptyState
        kind={kind}
        title={t(`device-map.${kind}`)}
        text={t(unplaced > 0 ? 'device-map.howToPlace' : `device-map.${kind}Text`)}
        action={
          unplaced > 0 && (
            <Button variant="default" onClick={onTray}>
              {t('device-map.tray', { count: unplaced })}
            </Button>
          )
        }
      />
    </div>
  )
}
