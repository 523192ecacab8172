// The words and answers in Chinese. See `en.ts` for the form.
const common = `
_: 的, 了, 吧, 请, 麻烦, 我, 你, 您, 想, 要, 想要, 给, 把, 将, 个, 一下, 在, 是, 为, 帮, 能, 可以, 能否, 需要, 希望, 也, 就, 都, 呢, 啊, 好, 那, 到, 会, 再, 来, 去,
 里, 里面, 中, 第, 用, 一张, 张, 件, 包, 盒, 罐, 款, 这, 那个, 和我, 让, 有什么, 对不起, 不好意思, 现在, 会来, 一个, 家, 送到, 靠, 套, 于, 一把, 一些, 已经, 就要, 能不能,
 可不可以, 请问, 想问, 想要问, 觉得, 先, 一点, 些, 还, 我想要, 我要, 们, 是不是, 可否, 谢, 最好, 有没有可能; hello: 你好, 您好, 嗨, 早上好, 下午好, 晚上好, 大家好, 哈喽, 嘿, 在吗;
 thanks: 谢谢, 多谢, 感谢; help: 帮助, 你能做什么, 你会做什么, 你是谁, 怎么用, 你是机器人吗, 可以做什么; undo: 撤销, 撤回, 撤消, 恢复刚才的, 取消刚才的操作, 撤销刚才的操作; not: 不,
 不要, 没有, 没, 别, 除了, 无, 不用, 而不是; all: 所有, 全部, 一切, 每个; only: 只, 只看, 仅, 只要, 只显示; it: 它, 这个, 这款, 这些, 那些; q: ?, 吗, 么; have: 有,
 有没有, 卖, 出售, 有卖; and: 和, 以及, 还有一个, 加, 跟, 与; from: 从, 自, 自从, 以来, 来自; people: 人, 位, 名, 个人, 位客人, 客人, 名客人, 位大人; weare: 我们有,
 我们是, 一共, 共, 总共有; num=0: 零; num=1: 一; num=2: 二, 两; num=3: 三; num=4: 四; num=5: 五; num=6: 六; num=7: 七; num=8: 八; num=9: 九;
 num=10: 十; num=11: 十一; num=12: 十二; num=20: 二十; nth=1: 第一, 第一个; nth=2: 第二, 第二个; nth=3: 第三, 第三个; nth=-1: 最后一个; day=0: 今天,
 今日; day=0+part=evening: 今晚; day=1: 明天, 明日; day=1+part=evening: 明晚; day=2: 后天; wd=1: 礼拜一, 本周一; wd=2: 礼拜二, 本周二; wd=3:
 礼拜三, 本周三; wd=4: 礼拜四, 本周四; wd=5: 礼拜五, 本周五; wd=6: 礼拜六, 本周六; wd=0: 礼拜天, 星期天, 周天, 本周日; nextweek+wd=1: 下周一, 下星期一;
 nextweek+wd=2: 下周二, 下星期二; nextweek+wd=3: 下周三, 下星期三; nextweek+wd=4: 下周四, 下星期四; nextweek+wd=5: 下周五, 下星期五; nextweek+wd=6:
 下周六, 下星期六; nextweek+wd=0: 下周日, 下星期天, 下星期日; dayunit: 日, 号; part=morning: 早上, 上午, 早晨; part=noon: 中午; part=afternoon: 下午;
 part=evening: 晚上, 晚, 傍晚, 夜里, 晚间; oclock: 点, 点钟, 时; shift=30: 半; shift=15: 一刻; minute: 分; euro: 欧元, 欧, €; under: 以下, 低于,
 不到, 以内, 不超过, 少于, 最多; best=low: 最便宜; best=high: 最贵; instead: 还是; nameis: 我叫, 名字是, 名字叫; lastis: 以名义; change: 改成, 改, 换成,
 更改, 修改, 设为, 设置为, 标记, 设成, 变成, 调整, 更新, 调成, 标为, 换到, 改坐; remove: 移除, 拿掉, 去掉, 拿走, 移走, 拿出, 取出, 删除, 删掉, 去除, 不要了, 减掉, 撤掉;
 clear: 清空, 清除, 重置, 清掉; show: 显示, 看, 看看, 查看, 查找, 找, 搜索, 列出, 告诉我, 展示, 查, 找找, 给我看看; what: 什么, 哪个, 哪, 哪一个; howmany: 多少个,
 几个, 有多少; when: 什么时候, 几点, 星期几, 周几, 哪天, 哪几天, 什么时间; howmuch: 多少钱, 价格, 价钱, 怎么卖, 要多少钱, 付多少, 多少; private: 密码, 信用卡; party=2:
 我们俩, 我们两个, 我们两个人, 我和我妻子, 我和我老婆, 我和我先生, 我和我老公
`
const booking = `
table: 桌, 桌子, 座位, 位子, 餐桌, 位置, 席位, 一桌, 用餐, 吃饭, 晚餐, 午餐, 晚饭; book: 订, 预订, 预定, 预约, 订位, 订座, 定, 定位; free: 空, 空位, 空桌, 空余, 空座;
 open: 开门, 营业, 营业时间, 开, 关门, 休息, 几点开门, 几点关门, 开到几点; submit: 提交, 发送, 确认预订, 提交预订, 确认; filled: 填了什么, 目前填了什么; seating=Dining
 room: 室内, 里面的座位, 餐厅里, 大厅, 屋内; seating=Terrace: 露台, 户外, 室外, 外面, 阳台, 露台上, 露天; seating=At the bar: 吧台, 吧台位, 酒吧;
 occasion=Birthday: 生日, 过生日; occasion=Anniversary: 纪念日, 结婚纪念日, 周年纪念; diet=Vegetarian: 素食, 吃素, 素食者; diet=Vegan: 纯素, 纯素食,
 全素; diet=Gluten-free: 无麸质, 无麸; diet=Halal: 清真; diet=Kosher: 犹太洁食; check=High chair: 儿童椅, 宝宝椅, 婴儿椅, 高脚椅; check=Step-free
 way to the table: 轮椅, 无障碍, 无障碍通道, 坐轮椅; allergy: 过敏, 对, 不吃, 不能吃, 忌; food: 贝类, 海鲜, 坚果, 花生, 鱼, 鸡蛋, 蛋, 牛奶, 大豆, 芝麻, 猪肉, 蘑菇,
 洋葱, 大蒜, 小麦, 酒精, 虾, 肉, 芹菜; wish: 靠窗, 靠窗的位子, 靠窗的座位, 窗边, 安静, 安静的位置, 安静的角落; sit: 坐; who_: 妈妈, 母亲, 爸爸, 父亲, 妻子, 丈夫, 朋友, 姐姐,
 妹妹, 哥哥, 弟弟, 儿子, 女儿, 有人, 一位, 其中一位, 其中, 庆祝; f=date: 日期; f=time: 时间; f=guests: 人数; f=name: 姓名, 名字; f=email: 邮箱, 电子邮箱, 邮件,
 电子邮件, 邮箱地址; f=phone: 电话, 手机, 电话号码, 手机号, 手机号码, 联系电话; f=notes: 备注; later=60: 晚一个小时, 晚一小时, 推迟一小时, 推迟一个小时; later=-60:
 早一个小时, 早一小时, 提前一小时, 提前一个小时; later=30: 晚半小时, 晚半个小时, 推迟半小时; later=-30: 早半小时, 早半个小时, 提前半小时; diet=Lactose-free: 无乳糖, 乳糖不耐受,
 不含乳糖; occasion=Family dinner: 家庭聚餐, 家庭聚会; occasion=Team dinner: 团队聚餐, 公司聚餐; occasion=Client lunch: 商务午餐; people: 大人,
 个小孩, 个孩子
`
const shop = `
cart: 购物车, 购物篮, 篮子; add: 加入, 放进, 放入, 放到, 添加, 加, 买, 购买, 加进, 下单, 加上, 来, 要, 拿; stock: 库存, 有货, 现货, 存货; delivery: 送货, 配送, 送到,
 到货, 快递, 寄到, 发货到, 送达, 送; howlong: 多久, 多长时间, 几天, 要多久, 多少天; coupon: 优惠券, 优惠码, 折扣码, 代码; fromcart: 从购物车, 从购物篮; apply: 使用, 用,
 应用, 输入; remember: 记住, 住在; total: 总共, 一共, 合计, 总价, 总计, 总额, 加起来; product: 产品, 商品, 东西, 货; contents: 有什么, 有哪些, 内容; count: 件,
 个, 包, 只; category=pots: 茶壶; category=cups: 杯子, 茶杯, 杯; category=kettles: 水壶, 烧水壶, 热水壶; category=tea: 茶, 茶叶;
 category=extras: 配件, 茶具配件; product_=pot-kyoto: 京都茶壶, 铸铁茶壶, 铁壶, 铁茶壶; product_=pot-betty: 布朗贝蒂, 布朗贝蒂茶壶, 红陶茶壶, 陶茶壶, 红泥茶壶;
 product_=pot-glass: 玻璃茶壶, 玻璃壶; product_=cup-celadon: 青瓷杯, 青瓷茶杯, 青瓷杯子; product_=cup-travel: 旅行杯, 随行杯, 便携杯;
 product_=kettle-goose: 鹅颈壶, 鹅颈水壶, 鹅颈烧水壶, 电水壶, 电热水壶; product_=kettle-hob: 炉灶水壶, 搪瓷水壶, 搪瓷壶, 灶台水壶; product_=tea-sencha:
 煎茶, 绿茶; product_=tea-assam: 阿萨姆, 阿萨姆红茶, 红茶; product_=tea-mint: 薄荷茶, 摩洛哥薄荷, 摩洛哥薄荷茶, 薄荷; product_=whisk-matcha: 茶筅, 竹茶筅,
 竹筅, 抹茶刷; product_=sieve-fine: 茶滤, 滤网, 滤茶器, 细茶滤, 茶漏; num=1+count: 来一个, 再加一个, 要一个, 一个; _: 做的, 制的, 的那种, 材质
`
const orders = `
orders: 订单, 列表, 表格, 单子, 单; late: 逾期, 延迟, 迟到, 延误, 晚了, 超期, 过期; status=New: 新, 新订单; status=Packed: 已打包, 已包装, 打包, 打包完成;
 status=Shipped: 已发货, 发货, 已寄出, 已发出; status=Delivered: 已送达, 已交付, 送达, 已签收; status=Cancelled: 已取消, 取消的; cancelorder: 取消;
 filters: 筛选, 过滤, 筛选条件, 过滤器; sort: 排序, 按, 排列, 排在最前面, 放在最上面, 排在前面; col=Order: 订单号, 编号; col=Customer: 客户, 顾客; col=Ordered:
 下单日期, 日期, 下单时间; col=Ship by: 发货日期, 发货期限; col=Total: 金额, 总额, 总价, 总计; col=Status: 状态; asc: 升序, 从小到大, 从低到高; desc: 降序,
 从大到小, 从高到低; nextpage: 下一页, 翻到下一页, 下页; prevpage: 上一页, 翻到上一页, 上页; open: 打开, 详情, 查看详情; note: 备注, 添加备注, 加备注, 注释;
 clear+filters: 取消筛选; _: 一共, 总共; best=high: 最大, 金额最大, 金额最高, 最高; best=low: 最小, 金额最小
`
const answers = `
offers_booking: 周五晚上七点半四人，露台 / 周六六个人有空位吗？ / 你填了什么？ ¦ offers_shop: 最便宜的茶壶是哪个？ / 把两个青瓷杯放进购物车 / 购物车里有什么？ ¦ offers_orders:
 只显示逾期订单 / 按金额降序排序 / 把订单4148标记为已打包 ¦ hello: 您好！我是离线模型：固定规则，不是语言模型。只有每个词都听懂了，我才会操作。 ¦ can_booking:
 在这家餐厅的页面上，我可以查找空桌并填写预订表单，由您自己发送。 ¦ can_shop: 在这家茶店，我可以查找商品、修改购物车，并告知库存和配送时间。 ¦ can_orders: 在这个订单台，我可以筛选、排序和打开订单，并更改其状态。
 ¦ try: 您可以这样说： ¦ unknown: 我没听懂{0}，所以什么也没做。 ¦ known: 我听懂了{0}。 ¦ together: 这些词我都认识，但不明白放在一起要做什么，所以什么也没做：{0}。 ¦ real:
 真正的模型懂得更多。请在上方的“Offline model”里选择一个。 ¦ server: 真正的模型懂得更多：请为此服务器设置 MODEL_ENDPOINT 和 MODEL_API_KEY，然后重新启动。 ¦ filled:
 已填写：{0}。 ¦ refused: {0}未被接受：{1}。 ¦ missing: 还需要：{0}。 ¦ submit: 尚未提交。请检查后自己按“{0}”。 ¦ hand: 这一步我不能代劳，请您自己按“{0}”。 ¦
 private: 密码、银行卡和验证码我从不填写，请您自己输入。 ¦ took: 我把“{0}”理解为{1}。 ¦ day: “{0}”可能是{1}，也可能是{2}。您指的是哪一天？ ¦ time: 具体几点？ ¦ name:
 我分不清“{0}”的姓和名。请写“First name: …, Last name: …”。 ¦ which: 您指的是哪一个：{0}？ ¦ says: 页面上写着：“{0}” ¦ nofield: 这个页面上没有“{0}”这一栏。 ¦
 nothing: 什么也没找到。 ¦ cart: 购物车里有：{0}。合计：{1}。 ¦ empty: 购物车是空的。 ¦ added: 已放进购物车：{0}。 ¦ now: {0}：现在 {1}，之前 {2}。 ¦ emptied:
 购物车现在是空的。已拿出：{0}。 ¦ stock: {0}：库存 {1}。 ¦ delivery: 送到 {0} 需要 {1} 个工作日，{2} 送达。 ¦ coupon: 优惠券 {0}：减 {1} %，合计 {2}。 ¦
 place: 已记住 {0} 为收货城市。 ¦ failed: 没有成功：{0} ¦ denied: 您没有允许，所以我没有做。 ¦ moved: 您没有回答就继续了，所以我没有做。 ¦ stopped: 已停止。 ¦ left:
 在得到回答之前离开了页面。 ¦ unsure: 也可能已经生效，请检查一下。 ¦ retried: 第一次失败，第二次成功。 ¦ elsewhere: 这个页面上我做不了这件事。别的页面也许可以：{0} ¦ steps: {0}
 个步骤全部完成。 ¦ some: {1} 个步骤完成了 {0} 个。 ¦ open: 未完成 ¦ undone: 已撤回。 ¦ noundo: 没有可以撤回的内容。 ¦ already: 已经是这样了。 ¦ thanks: 不客气。 ¦
 filters: 筛选：{0}。 ¦ counted: 按 {0} 筛选时，页面上写着：“{1}”。筛选已恢复原样。 ¦ nofilter: 没有设置筛选。 ¦ noorder: 我没看到订单 {0}。 ¦ opened: 订单 {0}
 已打开。 ¦ unclear: 我按了，但没看到页面的消息，请检查一下。 ¦ languages: 我懂中文、英文、德文、法文、西班牙文、日文和阿拉伯文。
`

export const chinese = { words: { common, booking, shop, orders, page: '' }, answers }
