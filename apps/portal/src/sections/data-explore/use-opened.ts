import { useState } from 'react'
import { useSession } from '../../parts/session/session.ts'
import { keepOpened, keptOpened } from './opened-items.ts'

/** State of an item of the tree with the call that opens or closes it; kept in this tab of the browser. */
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
