# История решений по партии: по одному предложению без точки.

ruled-nothing = подтверждено; ничего не меняется
ruled-wait = ожидается следующий завершённый ход
ruled-offence = невозможный ход { $by-gen } № { $n }
ruled-put-back = позиция восстановлена
ruled-queen = пешка на { $square } становится ферзём
ruled-bound = { $by } обязаны: { $bound }
ruled-end = партия закончена { $result }: { $ending }
ruled-claim-refused = требование ничьей отклонено ({ $by })
ruled-increment = просьба удовлетворена: с этого момента за каждый ход обоим добавляется { $time }
ruled-new-game = партия аннулирована, начата новая
ruled-stop-clocks = часы остановлены для правильной установки
ruled-promoted = фигура превращения на полуходе { $ply }: { $piece }
ruled-take-reading = действует время на часах: белые { $white }, чёрные { $black }

deed-start = партия начата
deed-pause = часы остановлены
deed-resume = часы снова пущены
deed-adjust = время на часах изменено: { $times }
deed-time-set = { $side }: установлено { $time }
deed-moves-done = { $n ->
    [one] завершён { $n } ход
    [few] завершено { $n } хода
   *[other] завершено { $n } ходов
}
deed-confirm = подтверждено
deed-dismiss = пункт { $number } снят
deed-dismiss-oldest = самый ранний пункт снят
deed-observe = арбитр установил: { $what }
deed-observe-of = арбитр установил: { $what } ({ $by })
seen-two-hands = один ход двумя руками
deed-restore = восстановлена позиция после { $n ->
    [one] { $n } полухода
   *[other] { $n } полуходов
}
deed-restore-fen = восстановлена позиция: { $fen }
deed-warn = { $by-dat } вынесено предупреждение
deed-give-time = { $foe-dat } добавлено время: { $time }
deed-take-time = у { $by-gen } снято время: { $time }
deed-loss = { $by-dat } засчитано поражение
deed-result = внесён результат { $result }
deed-reopen = партия возобновлена
deed-note = сделана запись
deed-periods = установлены периоды: { $periods }
deed-period-of = { $side } в периоде { $n }
deed-mend = исправлен полуход { $ply } записи: { $move }
deed-claimed-moves = заявитель называет ходы { $moves }
deed-mask = показания доски на { $squares } не учитываются
deed-mask-none = снова учитываются все поля доски
deed-without-board = партия продолжается без доски
deed-with-board = доска снова используется
deed-appeal = апелляция, податель { $by }: { $statement }
deed-appeal-fee = апелляция, податель { $by }, взнос { $fee }: { $statement }
deed-appeal-statement = по апелляции { $number }, { $who }: { $statement }
deed-appeal-upheld = апелляция { $number } удовлетворена
deed-appeal-dismissed = апелляция { $number } отклонена
deed-appeal-withdrawn = апелляция { $number } отозвана
deed-enter-move = внесён ход { $move }
deed-take = арбитр занимается пунктом { $number }
deed-present = { $by } присутствуют
deed-absent = { $by } отсутствуют
