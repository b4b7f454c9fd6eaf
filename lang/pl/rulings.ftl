# Historia decyzji w partii: po jednym zdaniu, bez kropki.

ruled-nothing = potwierdzono; nic się nie zmienia
ruled-wait = czeka się na następne zakończone posunięcie
ruled-offence = nieprawidłowe posunięcie { $by-gen } nr { $n }
ruled-put-back = pozycja przywrócona
ruled-queen = pion na { $square } staje się hetmanem
ruled-bound = { $by } są zobowiązane: { $bound }
ruled-end = partia zakończona { $result }: { $ending }
ruled-claim-refused = reklamację remisu oddalono ({ $by })
ruled-increment = prośbę uwzględniono: od tej chwili każde posunięcie obu stron dodaje { $time-acc }
ruled-new-game = partia unieważniona, rozpoczęto nową
ruled-stop-clocks = zegar zatrzymano, aby go prawidłowo ustawić
ruled-promoted = figura po promocji w półruchu { $ply }: { $piece }
ruled-take-reading = obowiązuje czas z zegara: białe { $white }, czarne { $black }

deed-start = partię rozpoczęto
deed-pause = zegar zatrzymano
deed-resume = zegar ponownie uruchomiono
deed-adjust = zmieniono czas na zegarze: { $times }
deed-time-set = { $side }: ustawiono { $time }
deed-moves-done = { $n ->
    [one] zakończone { $n } posunięcie
    [few] zakończone { $n } posunięcia
   *[other] zakończonych { $n } posunięć
}
deed-confirm = potwierdzono
deed-dismiss = zgłoszenie { $number } odrzucono
deed-dismiss-oldest = najstarsze zgłoszenie odrzucono
deed-observe = sędzia stwierdził: { $what }
deed-observe-of = sędzia stwierdził: { $what } ({ $by })
seen-two-hands = jedno posunięcie dwiema rękami
deed-restore = przywrócono pozycję po { $n ->
    [one] { $n } półruchu
   *[other] { $n } półruchach
}
deed-restore-fen = przywrócono pozycję: { $fen }
deed-warn = { $by }: udzielono ostrzeżenia
deed-give-time = { $foe-dat } dodano { $time-acc }
deed-take-time = { $by-dat } odjęto { $time-acc }
deed-loss = { $by }: partię uznano za przegraną
deed-result = wprowadzono wynik { $result }
deed-reopen = partię wznowiono
deed-note = dodano notatkę
deed-periods = ustawiono okresy: { $periods }
deed-period-of = { $side } w okresie { $n }
deed-mend = poprawiono półruch { $ply } zapisu: { $move }
deed-claimed-moves = zgłaszający podaje posunięcia { $moves }
deed-mask = wskazania szachownicy na { $squares } nie liczą się
deed-mask-none = wszystkie pola szachownicy znów się liczą
deed-without-board = partia toczy się dalej bez szachownicy
deed-with-board = szachownica jest znów używana
deed-appeal = odwołanie, składają { $by }: { $statement }
deed-appeal-fee = odwołanie, składają { $by }, opłata { $fee }: { $statement }
deed-appeal-statement = w sprawie odwołania { $number }, { $who }: { $statement }
deed-appeal-upheld = odwołanie { $number } uwzględniono
deed-appeal-dismissed = odwołanie { $number } oddalono
deed-appeal-withdrawn = odwołanie { $number } wycofano
deed-enter-move = wprowadzono posunięcie { $move }
deed-take = sędzia zajmuje się zgłoszeniem { $number }
deed-present = { $by } są obecne
deed-absent = { $by } są nieobecne
