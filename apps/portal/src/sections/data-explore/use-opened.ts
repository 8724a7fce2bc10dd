import { useState } from 'react'
import { useSession } from '../../parts/session/session.ts'
import { keepOpened, keptOpened } from './opened-items.ts'

/** Whether an item of the tree is open, and how to open or close it: what was open stays open in this tab. */
export function useOpened(id: string, atFirst: boolean) {
  const { resourceId } = useSession().organization
  const [pressed, setPressed] = useState(() => keptOpened(resourceId, id))
  const opened = pressed ?? atFirst
  const press = () => {
    setPressed(!opened)
    keepOpened(resourceId, id, !opened)
  }
  return [opened, press] as const
}
