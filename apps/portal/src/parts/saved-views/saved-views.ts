/** Saved view as the menu shows it; what it keeps is the section's own. */
export type SavedView = {
  id: string
  name: string
  /** Absent where views have none. */
  description?: string
  author: string
  shared: boolean
  mine: boolean
  mayChange: boolean
  /** The person's page begins with it; absent where none does. */
  isDefault?: boolean
}

type ViewFields = { name: string; description: string; shared: boolean }

/** Saved views of a page: those that there are, the open one, and what can be done with them. */
export type SavedViews<View extends SavedView = SavedView> = {
  views: readonly View[]
  open: View | undefined
  /** The page shows something else than the open view keeps. */
  isChanged: boolean
  /** False while there is nothing to keep. */
  canSave: boolean
  show(view: View): void
  /** Saves what is shown as a view, or over one. */
  save(view: View | undefined, fields: ViewFields): Promise<View>
  /** Deletes a view; the answer makes it again. */
  remove(view: View): Promise<() => Promise<void>>
  /** The permission to share, and what the dialog says about it. */
  sharing: { isAllowed: boolean; text: string }
  hasDescriptions: boolean
  /** Entry that leaves the views; absent: there is none. */
  plain?: { name: string; show: () => void }
  /** The view with which the person's page begins; absent: none does. */
  first?: { drop: string; set(view: View | undefined): Promise<void> }
}
