import { SavedViewsMenu } from '../../../parts/saved-views/SavedViewsMenu.tsx'
import { useAlarmViews, type ViewList } from './alarm-views.ts'

/** Saved views of a list of alarms. */
export const AlarmViewsMenu = ({ list }: { list: ViewList }) => (
  <SavedViewsMenu views={useAlarmViews(list)} />
)
