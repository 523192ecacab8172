// Tells which elements can be dragged, as far as the markup says.

const handles =
  '[data-rfd-drag-handle-draggable-id],[data-rbd-drag-handle-draggable-id],.ui-sortable-handle,.ui-draggable-handle,' +
  '[aria-roledescription~=draggable i],[aria-roledescription~=sortable i]'

/** Whether the markup says that it can be dragged: `draggable=true`, its description, or the mark of a library. */
export const isDraggable = (element: Element): boolean =>
  element.getAttribute('draggable')?.toLowerCase() === 'true' || Element.prototype.matches.call(element, handles)
