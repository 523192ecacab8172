// The entry of the chunk that draws a conversation: messages with Markdown, calls, receipts, questions and notices.
// Loaded with the first session, or when the user is about to write. Nothing in it loads later, except the review of
// changed fields: a turn must go on without the network of the page.
import { removeNode } from './element/nodes.js'
import { ApprovalCard } from './approval/approval-card.js'
import { Questions } from './approval/questions.js'
import { CutValue } from './message/values/value-text.js'
import { createMarkdown, markdownStyles } from './markdown/markdown.js'
import { activityLine } from './message/call/call-activity.js'
import { callState } from './message/call/call-state.js'
import { ToolCallCard } from './message/call/tool-call-card.js'
import { undoLine } from './message/call/undo-view.js'
import { CopyBlock, MessageActions } from './message/message-actions.js'
import { textsOf } from './message/message-texts.js'
import { Transcript } from './message/transcript.js'
import { LongText } from './message/values/long-text.js'
import { grantsView, notices, retryText, turnNotice } from './panel/notice-view.js'
import { adoptStyles, definePart, type RenderContext } from './panel/render-context.js'
import { receiptHeadline, Receipt } from './message/receipt/receipt.js'
import { StageController } from './stage/stage-controller.js'
import { approvalStyles } from './styles/approval.js'
import { bodyStyles, valueStyles, cardStyles } from './styles/message/cards.js'
import { actionStyles, formStyles, readingStyles, transcriptStyles } from './styles/transcript.js'
import { downloadStyles, noticeStyles } from './styles/notices.js'
import { receiptStyles } from './styles/message/receipt.js'
import { stageStyles } from './styles/stage.js'

const parts = {
  'tool-agent-approval': ApprovalCard,
  'tool-agent-call': ToolCallCard,
  'tool-agent-copy': CopyBlock,
  'tool-agent-message-actions': MessageActions,
  'tool-agent-questions': Questions,
  'tool-agent-receipt': Receipt,
  'tool-agent-text': LongText,
  'tool-agent-transcript': Transcript,
  'tool-agent-value': CutValue,
}

/** The styles of later ones override those before. */
const styles = [
  transcriptStyles,
  cardStyles,
  valueStyles,
  bodyStyles,
  markdownStyles,
  actionStyles,
  formStyles,
  readingStyles,
  noticeStyles,
  receiptStyles,
  downloadStyles,
  approvalStyles,
  stageStyles,
].flat()

/** What answers often contain. */
const sample = '# a\n\n**b** `c` [d](#e)\n\n- f\n\n1. g\n\n|h|\n|-|\n|i|\n\n```\nj\n```\n\nk'

/** What the panel uses of this chunk. */
export const conversation = {
  activityLine,
  callState,
  /** Registers the elements of a conversation, and adds their styles to the shadow root of a panel's element. */
  prepare(element: Element): void {
    for (const [name, part] of Object.entries(parts)) definePart(name, part)
    adoptStyles(element, ...styles)
  },
  /** Draws a message where nobody sees it, so that the first one finds its templates parsed and its code compiled. */
  async warmUp(panel: Element, view: RenderContext): Promise<void> {
    const transcript = new Transcript()
    transcript.style.display = 'none'
    const draft = { id: '', parts: [{ type: 'text', text: sample, id: '' }] }
    const session = { messages: [], start: 0, draft }
    Object.assign(transcript, {
      session,
      view,
      sending: { turn: '', text: '-', parts: [{ type: 'text', text: '-' }] },
      working: true,
    })
    panel.appendChild(transcript)
    await transcript.updateComplete
    // The parts of the message are drawn in the tasks after it.
    await new Promise((resolve) => setTimeout(resolve))
    removeNode(transcript)
  },
  createMarkdown,
  notices,
  retryText,
  grantsView,
  receiptHeadline,
  StageController,
  textsOf,
  turnNotice,
  undoLine,
}
